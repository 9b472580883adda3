import type { Rules } from "@agent-checkpoint/categories";
import type { ChangedFiles } from "@agent-checkpoint/git";
import type { AgentName, TurnTimeline } from "@agent-checkpoint/transcript";
import type { CheckpointFacts } from "./assemble-checkpoint.ts";
import type { Project } from "./find-project.ts";
import { readPlan } from "./rules/read-project-file.ts";
import { changedAfter } from "./session/baseline.ts";
import { selectFiles, type SessionKnowledge } from "./session/select-files.ts";

/** A turn that stops. */
export interface StoppedTurn {
  readonly agent: AgentName;
  readonly transcriptPath: string | null;
  readonly timeline: TurnTimeline;
  readonly workingSlug: string | null;
  readonly promptAt: Date | null;
  readonly now: Date;
  /** What earlier stops of the session found out; null if there was none. */
  readonly session: SessionKnowledge | null;
}

/** What a stop is judged on, and what was learnt about its session on the way. */
export interface GatheredFacts {
  readonly facts: CheckpointFacts;
  /** Files that the session's calls wrote, as far as this stop found out. */
  readonly touchedFiles: readonly string[];
  /** How far the transcript has been read for them. */
  readonly readUpTo: number | null;
}

/** Gathers what a stop is judged on. */
export async function gatherFacts(
  { root, aliases, rules }: Project,
  turn: StoppedTurn,
  listing: Promise<ChangedFiles> | null,
): Promise<GatheredFacts> {
  const { timeline, workingSlug, promptAt, now, session } = turn;
  const place = { projectPath: root, projectAliases: aliases };
  const known = { rules, timeline, place, workingSlug, plan: readPlan(root, workingSlug), promptAt, now };
  const listed = await (listing ?? NOT_ASKED);
  if (!rules.ok || listed.status === "unknown") {
    const { reason, detail } = listed.status === "unknown" ? listed : NOT_ASKED;
    return { facts: { ...known, changed: { ok: false, reason, detail } }, touchedFiles: [], readUpTo: null };
  }
  const { scope } = rules.rules;
  const { files, touchedFiles, readUpTo } = selectFiles({ ...turn, changed: listed.files, scope, place });
  const isUnchanged = isSilentOn(files, root, session?.lastStopAt ?? null, rules.rules);
  return { facts: { ...known, changed: { ok: true, files }, isUnchanged }, touchedFiles, readUpTo };
}

const NOT_ASKED = { status: "unknown", reason: "no-rules", detail: "git was not asked" } as const;

/** Whether none of the files changed since the session's last stop, under rules that are silent then. */
function isSilentOn(files: readonly string[], root: string, lastStopAt: Date | null, rules: Rules): boolean {
  if (rules.unchanged === "deliver" || lastStopAt === null || files.length === 0) return false;
  return !files.some((file) => changedAfter(root, file, lastStopAt));
}
