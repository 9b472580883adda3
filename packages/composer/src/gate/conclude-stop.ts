import type { CheckpointResult, Observation } from "@agent-checkpoint/heuristics";
import type { ContextMark, Proof, Stop, StopTrail, Store } from "@agent-checkpoint/store";
import { appendLog } from "@agent-checkpoint/store/log";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import { CLOSING, MESSAGE_PREFIX } from "../message/texts.ts";
import type { Moment, Outcome, Place } from "./events.ts";
import type { JudgedStop } from "./judge-stop.ts";
import { turnNames } from "./stop-facts.ts";

export interface Concluding {
  readonly store: Store;
  /** Brings the message to the agent; called at most once, and only if the turn's one block is ours. */
  readonly send: (message: string) => void | Promise<Sent>;
  /** When the judgement began, in milliseconds since the process did; 0 by default. */
  readonly startedAt?: number;
  readonly addition?: Addition | null;
}

/** Whether a message that takes its time has reached the agent, or why not, in kebab-case. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What saving the session's work adds to the answer at a stop. */
export interface Addition {
  readonly outcome: string;
  /** A sentence for a message that goes out anyway. */
  readonly remark: string | null;
  /** A paragraph that is worth the turn's block by itself. */
  readonly paragraph: string | null;
  /** The record's mark of the session's context; undefined leaves it unchanged. */
  readonly mark?: ContextMark | undefined;
}

/** How a stop ended. */
export interface Conclusion extends Outcome {
  readonly isBlocked: boolean;
}

const FALLBACK_KEEP_DAYS = 90;

/** Blocks the stop or lets it pass, as it was judged, and records which. */
export async function concludeStop(judged: JudgedStop, concluding: Concluding): Promise<Conclusion> {
  const { store, addition = null } = concluding;
  const { event, place, project, refusedSlug } = judged.facts;
  const isBlocked = await blockOnce(judged, concluding);
  if (judged.content === null) return { problem: null, isBlocked };
  const { checkpoint, touchedFiles, readUpTo } = judged.content;
  if (refusedSlug !== null) appendLog(place.home, { level: "warn", event: "slug-refused", slug: refusedSlug });
  if (place.isCanary !== true) {
    await store.sessions.update(place.agent, event.sessionId ?? "", {
      projectPath: event.projectPath,
      transcriptPath: event.transcriptPath,
      touchedFiles,
      ...(readUpTo !== null && { readUpTo }),
      ...(judged.pass === "background-tasks" && { waitedFor: event.runningTasks }),
      ...(addition?.mark !== undefined && { contextMark: addition.mark }),
    });
  }
  // A block that may be taken back settles nothing, so that its delivery is judged on the same facts.
  const isOpen = isBlocked && event.stage === "tentative";
  await store.proofs.record(project.repository, isOpen ? [] : await settledBy(judged, isBlocked));
  await store.prune(project.rules.ok ? project.rules.rules.keepDays : FALLBACK_KEEP_DAYS);
  return { problem: checkpoint.problem, isBlocked };
}

/**
 * A block is sent only once it is recorded, recorded only once per turn, and given back if it does not arrive. One that the
 * agent may take back is recorded when it has arrived, whatever has changed since.
 */
async function blockOnce(judged: JudgedStop, concluding: Concluding): Promise<boolean> {
  const { store, send, addition = null, startedAt } = concluding;
  const { event, place, project, known, workingSlug, now } = judged.facts;
  const { pass, promptAt, content } = judged;
  const turns = content === null ? known : turnNames(known, content.timeline);
  const row = stopRow(event, place, {
    reason: pass ?? content?.checkpoint.reason ?? "",
    repository: project.repository,
    turn: turns[0] ?? null,
    result: content?.checkpoint.result ?? null,
    notices: content?.checkpoint.notices,
    trail: trailOf(event, { promptAt, workingSlug, timeline: content?.timeline, changedFiles: filesOf(judged) }),
    startedAt,
    save: addition?.outcome,
  });
  const checklist = await checklistOf(judged, addition);
  const paragraph = addition?.paragraph ?? null;
  const isSpent = pass === "asked-before" || pass === "already-blocked";
  if (isSpent || (checklist === null && paragraph === null && event.stage !== "delivered")) {
    await store.stops.record(row);
    return false;
  }
  const session = { agent: place.agent, sessionId: event.sessionId ?? "", turns };
  const message = joinMessages(checklist, paragraph);
  if (event.stage === "tentative") {
    await send(message);
    return true;
  }
  const stop = {
    ...row,
    ...(checklist === null && paragraph !== null && { reason: "work-saved" }),
    messageLength: message.length,
  };
  const { claimed } = await store.stops.claimBlock({ ...session, at: now, stop });
  if (!claimed) {
    await store.stops.record({ ...row, reason: "already-blocked" });
    return false;
  }
  const sent = await send(message);
  if (sent?.ok !== false) return true;
  await store.stops.releaseBlock({ ...session, reason: sent.reason });
  return false;
}

/** The files that a stop settles: all of them once it has asked about them, or if everything it asks for was seen to be done. */
async function settledBy({ facts, content }: JudgedStop, isBlocked: boolean): Promise<readonly Proof[]> {
  const { place, project, now: at } = facts;
  const result = content?.checkpoint.result ?? null;
  if (content === null || content.marks === null || result === null || place.isCanary === true) return [];
  const isProven = result.actions.length === 0 && result.evidence.length > 0;
  const settled = isBlocked ? "asked" : isProven ? "proven" : null;
  if (settled === null || !content.facts.changed.ok) return [];
  const { files } = content.facts.changed;
  // Loaded already, as the content was judged.
  const { proofsOf } = await import("../session/settled-files.ts");
  const { marks, left } = content;
  const again = new Set(settled === "asked" ? left : []);
  return proofsOf(project.root, { files, marks, settled, at }).map((proof) =>
    again.has(proof.file) ? { ...proof, settled: "mentioned" } : proof,
  );
}

function filesOf({ content }: JudgedStop): readonly string[] | null {
  return content?.facts.changed.ok === true ? content.facts.changed.files : null;
}

/** The message of a stop whose content is worth the block; null if it passes. */
async function checklistOf({ pass, content }: JudgedStop, addition: Addition | null): Promise<string | null> {
  if (pass !== null || !content.checkpoint.deliver) return null;
  const remark = addition?.remark ?? null;
  const isCommitted = addition?.outcome.startsWith("committed") === true;
  if (remark === null && !isCommitted) return content.checkpoint.message;
  // Loaded already, as the content was judged; a stop that passes by the record does without it.
  const { assembleCheckpoint } = await import("../assemble-checkpoint.ts");
  const { rules } = content.facts;
  // The work has just been committed, so the checklist must not ask for other steps before a commit.
  const own = rules.ok && isCommitted ? { ...rules, rules: { ...rules.rules, commitStep: false } } : rules;
  return assembleCheckpoint({ ...content.facts, rules: own, remark }).message;
}

/** Joins the two into one message, which begins like all of ours and ends with what the agent does last. */
function joinMessages(checklist: string | null, paragraph: string | null): string {
  if (checklist === null) return `${MESSAGE_PREFIX}${paragraph ?? ""}\n\n${CLOSING}`;
  if (paragraph === null) return checklist;
  const rest = checklist.slice(MESSAGE_PREFIX.length);
  return `${MESSAGE_PREFIX}${paragraph}\n\n${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** Why a stop passed or was blocked, and on what verdict. */
export interface StopVerdict {
  readonly reason: string;
  readonly repository: string;
  readonly turn: string | null;
  readonly result?: CheckpointResult | null;
  /** What is recorded of a stop without a verdict. */
  readonly notices?: readonly Observation[] | undefined;
  /** What it was judged on; null if nothing was looked at. */
  readonly trail?: StopTrail | null;
  /** When the judgement began, in milliseconds since the process did; its start, where a process lives for one stop. */
  readonly startedAt?: number | undefined;
  /** The outcome of saving the session's work. */
  readonly save?: string | undefined;
}

/** The record of a stop that passes; a block is recorded as one when it is claimed. */
export function stopRow(
  event: Moment,
  { agent, now, route, isCanary }: Place,
  { reason, repository, turn, result, notices = [], trail = null, startedAt = 0, save }: StopVerdict,
): Stop {
  return {
    agent,
    sessionId: event.sessionId ?? "",
    projectPath: event.projectPath,
    repository,
    turn,
    at: now,
    decision: "pass",
    reason,
    actions: result?.actions.map(({ id }) => id) ?? [],
    observations: result?.findings ?? notices,
    durationMs: Math.round(millisecondsSinceStart() - startedAt),
    route,
    isCanary,
    trail,
    quiet: result?.quiet,
    ...(save !== undefined && { save }),
  };
}

/** The same as `performance.now()`, which takes a millisecond to load. */
function millisecondsSinceStart(): number {
  return process.uptime() * 1000;
}

/** What is known about a stop when it is decided; an early decision knows less. */
export interface TrailFacts {
  readonly promptAt: Date | null;
  readonly timeline?: TurnTimeline | undefined;
  readonly changedFiles?: readonly string[] | null;
  readonly workingSlug?: string | null;
}

/** What a stop was judged on: enough to find the same turn and files again, without any of their text. */
export function trailOf(
  { transcriptPath }: Moment,
  { promptAt, timeline, changedFiles = null, workingSlug = null }: TrailFacts,
): StopTrail {
  return {
    transcriptPath,
    turnStart: timeline?.hasData === true ? (timeline.prompt?.offset ?? null) : null,
    readUpTo: timeline?.hasData === true ? timeline.size : null,
    promptAt,
    changedFiles,
    changedFileCount: changedFiles?.length ?? null,
    workingSlug,
  };
}
