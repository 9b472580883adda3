import { isSnoozed, type MovedRule, type Proof, type Session, type Store } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import { findProject, listMoved, type Project } from "../find-project.ts";
import { isOwnMessage } from "../message/texts.ts";
import { isSafeSlug, recallConfigs } from "../rules/read-configs.ts";
import type { Moment, Place, PromptEvent } from "./events.ts";
import type { RecordedStop, StopClock } from "./judge-stop.ts";

/** What the agent, the store and the rules say about a stop before its turn is read. */
export interface StopFacts extends RecordedStop, StopClock {
  readonly event: Moment;
  readonly place: Place;
  readonly project: Project;
  readonly session: Session | null;
  /** The contents of files in the repository that were proven or asked about. */
  readonly settled: readonly Proof[];
  /** The rules of the repository that the program has moved. */
  readonly moved: readonly MovedRule[];
  /** The names that the turn is known by. */
  readonly known: readonly string[];
  /** The slug that the session is set to, if it is a plain folder name. */
  readonly workingSlug: string | null;
  /** The slug that is no plain folder name, for the log. */
  readonly refusedSlug: string | null;
}

/** The read-only part of the store that a judgement needs. */
export interface StopRecords {
  readonly sessions: Pick<Store["sessions"], "list">;
  readonly stops: Pick<Store["stops"], "isBlocked">;
  readonly snoozes: Pick<Store["snoozes"], "list">;
  readonly proofs: Pick<Store["proofs"], "list">;
  readonly modes: Pick<Store["modes"], "list">;
}

const FALLBACK_TIMER_SECONDS = 30;

/** Gathers what is known about a stop before its turn is read. */
export async function gatherStopFacts(event: Moment, place: Place, records: StopRecords): Promise<StopFacts> {
  const { agent, home, now } = place;
  const sessionId = event.sessionId ?? "";
  const [session = null] = await records.sessions.list({ agent, sessionId });
  const known = turnNamesAtStop(event, session);
  const isKnownTurn = isTurnOf(session, known);
  const configs = isKnownTurn ? recallConfigs(session?.configs) : null;
  const project = await findProject(event.projectPath, home, { configs });
  const { root, aliases, rules } = project;
  const slug = session?.workingSlug ?? place.workingSlug;
  const isSafe = slug !== null && isSafeSlug(slug);
  return {
    event,
    place,
    project,
    session,
    settled: await records.proofs.list(project.repository),
    moved: await listMoved(records, project.repository, rules),
    known,
    wasBlocked: known.length > 0 && (await records.stops.isBlocked(agent, sessionId, known)),
    // A canary shows that the hook works, also while it is snoozed.
    isSnoozed:
      place.isCanary !== true &&
      isSnoozed(await records.snoozes.list(now), { agent, sessionId, projectPaths: [root, ...aliases] }),
    promptAt: isKnownTurn ? (session?.lastMessageSentAt ?? null) : null,
    checkpointAt: session?.lastCheckpointAt ?? null,
    timerSeconds: rules.ok ? rules.rules.timerSeconds : FALLBACK_TIMER_SECONDS,
    now,
    workingSlug: isSafe ? slug : null,
    refusedSlug: isSafe ? null : slug,
  };
}

/** Whether the store's last prompt is the one that opened this turn. */
function isTurnOf(session: Session | null, names: readonly string[]): boolean {
  return session?.currentTurn != null && names.includes(session.currentTurn);
}

/** Whether a prompt starts a turn: our own text coming back, or a notification, does not. */
export function opensTurn({ isHuman, text }: PromptEvent): boolean {
  return isHuman && !isOwnMessage(text);
}

/** The name of a turn from its prompt on: the agent's own id, otherwise the prompt's digest and time. */
export function nameTurn({ promptId, text }: PromptEvent, at: Date): string {
  return promptId ?? `${digest(text)}@${at.getTime()}`;
}

/** The names of a stopping turn before its transcript is read. */
export function turnNamesAtStop(
  { promptId, promptText = null }: Moment,
  session: Pick<Session, "currentTurn"> | null,
): readonly string[] {
  if (promptId !== null) return [promptId];
  const current = session?.currentTurn ?? null;
  if (current === null) return [];
  // A prompt that we did not see has another text than the last one we saw.
  const isSamePrompt = promptText === null || current.startsWith(`${digest(promptText)}@`);
  return isSamePrompt ? [current] : [];
}

/** The same with the names from the transcript: a turn that a notification restarted also has the name of its human prompt. */
export function turnNames(known: readonly string[], timeline: TurnTimeline): readonly string[] {
  const prompt = timeline.hasData ? timeline.prompt : null;
  if (prompt === null) return known;
  const own = prompt.id ?? `${prompt.offset}@${prompt.timestamp?.getTime() ?? 0}`;
  // Where the agent has no ids of its own, the name from the prompt event is the only one that stays the same.
  return known.length > 0 && prompt.id === null ? known : [...new Set([...known, own])];
}

/** Loaded here, because only agents without ids of their own need it. */
function digest(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
