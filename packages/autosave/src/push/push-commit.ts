import { runGit } from "../git/run-git.ts";

/** What came of a push. */
export type PushOutcome =
  | { readonly status: "pushed"; readonly remote: string }
  | {
      readonly status: "not_pushed";
      readonly why: PushFault;
      readonly detail: string;
      /** Whether another try could do better. */
      readonly isWorthRetrying: boolean;
    };

export type PushFault = "no_upstream" | "network" | "authentication" | "non_fast_forward" | "rejected";

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
    return { status: "not_pushed", why: "no_upstream", detail: `${branch} has no upstream`, isWorthRetrying: false };
  const { exitCode, stderr, stdout, isLate } = await runGit(
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
  if (exitCode === 0) return { status: "pushed", remote };
  const said = `${stdout.toString("utf8")}\n${stderr}`.trim();
  const row = isLate ? LATE : (FAULTS.find(({ shape }) => shape.test(said)) ?? UNKNOWN);
  const detail = isLate ? `no answer in ${timeoutMs} ms` : said.slice(0, 500);
  return { status: "not_pushed", why: row.why, detail, isWorthRetrying: row.why === "network" };
}

async function setting(root: string, name: string): Promise<string | null> {
  const { exitCode, stdout } = await runGit(["config", "--get", name], { cwd: root });
  return exitCode === 0 ? stdout.toString("utf8").trim() || null : null;
}

const LATE = { why: "network" } as const;
const UNKNOWN = { why: "rejected" } as const;

/** What git and its helpers say, the first row that fits. */
const FAULTS: readonly { readonly shape: RegExp; readonly why: PushFault }[] = [
  { shape: /non-fast-forward|fetch first|\[rejected\]|stale info/, why: "non_fast_forward" },
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
