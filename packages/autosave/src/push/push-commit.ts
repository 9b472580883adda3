import { runGitAsUser } from "@agent-checkpoint/git";

/** What came of a push. */
export type PushOutcome =
  | { readonly status: "pushed"; readonly remote: string }
  | {
      readonly status: "not-pushed";
      readonly why: PushFault;
      readonly detail: string;
      /** Whether another try could do better. */
      readonly isWorthRetrying: boolean;
    };

export type PushFault = "no-upstream" | "network" | "authentication" | "non-fast-forward" | "rejected";

export interface PushRequest {
  readonly root: string;
  readonly branch: string;
  /** The very commit to be pushed: a branch may move on, or HEAD elsewhere. */
  readonly commit: string;
  readonly timeoutMs: number;
}

/** Pushes one commit to the branch's own upstream, never by force; nothing in it can ask a person. */
export async function pushCommit({ root, branch, commit, timeoutMs }: PushRequest): Promise<PushOutcome> {
  const remote = await setting(root, `branch.${branch}.remote`);
  const target = await setting(root, `branch.${branch}.merge`);
  if (remote === null || target === null || remote === ".")
    return { status: "not-pushed", why: "no-upstream", detail: `${branch} has no upstream`, isWorthRetrying: false };
  const result = await runGitAsUser(
    [
      "-c",
      "credential.interactive=false",
      "push",
      "--porcelain",
      "--no-follow-tags",
      "--recurse-submodules=no",
      remote,
      `${commit}:${target}`,
    ],
    { cwd: root, timeoutMs },
  );
  if (result.ok) return { status: "pushed", remote };
  const isLate = result.reason === "timeout";
  const row = isLate ? LATE : (FAULTS.find(({ shape }) => shape.test(result.detail)) ?? UNKNOWN);
  return {
    status: "not-pushed",
    why: row.why,
    detail: result.detail.slice(0, 500),
    isWorthRetrying: row.why === "network",
  };
}

async function setting(root: string, name: string): Promise<string | null> {
  const result = await runGitAsUser(["config", "--get", name], { cwd: root });
  return result.ok ? result.stdout.toString("utf8").trim() || null : null;
}

const LATE = { why: "network" } as const;
const UNKNOWN = { why: "rejected" } as const;

/** What git and its helpers say, the first row that fits. */
const FAULTS: readonly { readonly shape: RegExp; readonly why: PushFault }[] = [
  { shape: /non-fast-forward|fetch first|\[rejected\]|stale info/, why: "non-fast-forward" },
  { shape: /\[remote rejected\]|pre-receive hook|protected branch/, why: "rejected" },
  {
    shape:
      /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied|Host key verification|returned error: 40[13]|askpass/i,
    why: "authentication",
  },
  {
    shape:
      /Could not resolve|Failed to connect|Connection (?:refused|timed out|reset)|unable to access|Could not read from remote|No route to host|Network is unreachable|does not appear to be a git repository|early EOF/i,
    why: "network",
  },
];
