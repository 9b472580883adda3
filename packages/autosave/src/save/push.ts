import { setTimeout as sleep } from "node:timers/promises";
import { runGitAsUser } from "@agent-checkpoint/git";
import { redactLine } from "@agent-checkpoint/redaction";
import { appendLog, type Store } from "@agent-checkpoint/store";
import type { Repository } from "./repository.ts";
import type { RecordedSave, SaveOptions, SaveReport } from "./save-report.ts";

const FIRST_PUSH_MS = 8000;

/** Tries a push as long as there is time; the rest is done after the answer. */
export async function pushSaved(
  report: SaveReport,
  { root, branch }: Repository,
  { deadline, onStep }: { readonly deadline: number; readonly onStep: NonNullable<SaveOptions["onStep"]> },
): Promise<SaveReport> {
  const { commit: id } = report;
  if (id === null) return report;
  const timeoutMs = Math.max(500, Math.min(FIRST_PUSH_MS, deadline - performance.now()));
  const pushed = await pushCommit({ root, branch, commit: id, timeoutMs });
  onStep("push", pushed.status === "pushed" ? pushed.remote : `${pushed.why}: ${pushed.detail}`);
  if (pushed.status === "pushed") return { ...report, outcome: "committed-pushed" };
  return {
    ...report,
    outcome: "committed-push-deferred",
    detail: `not pushed (${pushed.why}): ${pushed.detail}`,
    pushLater: pushed.isWorthRetrying ? { root, branch, commit: id } : null,
  };
}

const PUSH_TIMEOUT_MS = 45_000;

/** Pushes what could not be pushed at once, and records the result. */
export async function finishPush({ report, record }: RecordedSave, home: string, store: Store | null): Promise<void> {
  const { pushLater } = report;
  if (pushLater === null) return;
  const outcome = await pushWithRetries({ ...pushLater, timeoutMs: PUSH_TIMEOUT_MS });
  const isPushed = outcome.status === "pushed";
  const detail = isPushed ? outcome.remote : `${outcome.why}: ${redactLine(outcome.detail)}`;
  appendLog(home, {
    level: isPushed ? "info" : "warn",
    event: "save",
    step: "push-later",
    commit: pushLater.commit,
    detail,
  });
  if (record !== null)
    await store?.saves.record({
      id: record,
      outcome: isPushed ? "committed-pushed" : "committed-push-deferred",
      detail: isPushed ? null : detail,
    });
}

/** How long to wait before each further try. */
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];

/** Pushes until it succeeds, another try cannot help, or the tries are used up. */
export async function pushWithRetries(
  request: PushRequest,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<PushOutcome> {
  let outcome = await pushCommit(request);
  for (const pause of pausesMs) {
    if (outcome.status === "pushed" || !outcome.isWorthRetrying) return outcome;
    await sleep(pause);
    outcome = await pushCommit(request);
  }
  return outcome;
}

/** The result of a push. */
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

/** Pushes one commit to the branch's own upstream, never by force, and without any interactive prompt. */
async function pushCommit({ root, branch, commit, timeoutMs }: PushRequest): Promise<PushOutcome> {
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

/** What messages of git and its helpers mean; the first matching row counts. */
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
