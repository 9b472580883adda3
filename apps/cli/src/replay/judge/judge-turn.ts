import { extname } from "node:path";
import { isInCategory, type Rules } from "@agent-checkpoint/categories";
import { decideDelivery, type DeliveryReason, renderMessage } from "@agent-checkpoint/composer";
import { reasonToPass } from "@agent-checkpoint/gate";
import {
  type CheckpointResult,
  findEvidence,
  type ProjectPlace,
  readTurn,
  type RepositoryFacts,
  runHeuristics,
  type Turn,
} from "@agent-checkpoint/heuristics";
import type { AgentName, PastTurn } from "@agent-checkpoint/transcript";
import type { ProjectRules } from "./replay-rules.ts";

/** What the rules would have made of a turn. */
export type Judgement =
  | { readonly kind: "no-stop"; readonly why: Exclude<PastTurn["ending"]["kind"], "stopped"> }
  | { readonly kind: "too-soon" }
  | (Verdict & { readonly kind: "passed" })
  | (Verdict & {
      readonly kind: "blocked";
      readonly message: string;
      /** Whether the turn had committed its changes: then git may have had nothing to tell at the stop. */
      readonly isCommitted: boolean;
    });

interface Verdict {
  readonly reason: DeliveryReason;
  readonly result: CheckpointResult;
  readonly changedFiles: readonly string[];
}

/** Whose turn it is, and what it is judged by. */
export interface Judging {
  readonly agentName: AgentName;
  readonly rules: Extract<ProjectRules, { readonly ok: true }>;
  /** What is known of the repository; null where nothing is. */
  readonly repository: RepositoryFacts | null;
}

/** Judges a turn at its end as the checkpoint would have, with the turn's own changes in the place of git's. */
export function judgeTurn({ timeline, ending }: PastTurn, { agentName, rules: found, repository }: Judging): Judgement {
  if (ending.kind !== "stopped") return { kind: "no-stop", why: ending.kind };
  const { rules, configFile, root } = found;
  if (isTooSoon(timeline.prompt?.timestamp ?? null, ending.at, rules.timerSeconds)) return { kind: "too-soon" };
  const place: ProjectPlace = { projectPath: root };
  const turn = readTurn(timeline, place);
  const changedFiles = changedBy(turn, rules);
  const result = runHeuristics(changedFiles, timeline, {
    ...place,
    agentName,
    rules,
    configFile,
    repository,
    workingSlug: null,
    plan: null,
    now: ending.at ?? undefined,
  });
  const { deliver, reason } = decideDelivery(result, rules);
  const verdict: Verdict = { reason, result, changedFiles };
  if (!deliver) return { kind: "passed", ...verdict };
  return { kind: "blocked", ...verdict, message: renderMessage(result, rules), isCommitted: isCommitted(turn) };
}

/** The gate's own rule of the timer; a turn without times, from the oldest transcripts, counts as long enough. */
function isTooSoon(promptAt: Date | null, stopAt: Date | null, timerSeconds: number): boolean {
  if (promptAt === null || stopAt === null) return false;
  const event = {
    type: "stop",
    sessionId: "",
    projectPath: "",
    transcriptPath: null,
    promptId: null,
    isRepeated: false,
    exemption: null,
    promptText: null,
    lastMessage: null,
  } as const;
  const state = { event, wasBlocked: false, isSnoozed: false, promptAt, checkpointAt: null, timerSeconds, now: stopAt };
  return reasonToPass(state) === "timer";
}

/**
 * The files that git would be likely to list.
 *
 * A command may name a folder or a glob, where git lists files: a name without an ending counts only where a rule
 * covers it or a tool wrote it. Nor does git list what lies in folders that hardly any repository tracks.
 */
function changedBy({ calls, changes }: Turn, { categories }: Rules): readonly string[] {
  const byTools = new Set(
    calls.filter(({ record }) => record.kind !== "shell").flatMap(({ writes }) => writes.map(({ file }) => file)),
  );
  const isFile = (file: string): boolean =>
    byTools.has(file) ||
    (!/[*?[{]/.test(file) && (extname(file) !== "" || categories.some((row) => isInCategory(file, row))));
  const files = new Set(changes.map(({ file }) => file));
  return [...files].filter((file) => isFile(file) && !file.split("/").some((part) => UNTRACKED.has(part)));
}

const UNTRACKED: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "tmp",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".cache",
  ".next",
  ".turbo",
]);

function isCommitted(turn: Turn): boolean {
  const lastChange = turn.changes.at(-1);
  return lastChange !== undefined && findEvidence(turn, ["git commit"], lastChange.order).status === "found";
}
