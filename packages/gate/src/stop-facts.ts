import {
  type CheckpointContent,
  findGitRoot,
  getCheckpointContent,
  isSafeSlug,
  type LoadedRules,
  loadRules,
} from "@agent-checkpoint/composer";
import type { Session, Store } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { StopState } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";
import { rootSpellings } from "./root-spellings.ts";
import { turnNamesAtStop } from "./turn-names.ts";

/** What the store and the rules tell of a stop before its turn is read. */
export interface StopFacts {
  readonly session: Session | null;
  /** The names that the turn is known by. */
  readonly known: readonly string[];
  readonly loaded: LoadedRules;
  /** The slug that the session is set to, where it is a plain folder name. */
  readonly workingSlug: string | null;
  /** The slug that is none, for the log. */
  readonly refusedSlug: string | null;
  readonly state: StopState;
}

/** The part of the store that tells of a stop and changes nothing. */
export type StopRecords = Pick<Store, "getSession" | "hasBlocked" | "isSnoozed">;

const FALLBACK_TIMER_SECONDS = 30;

/** Gathers what is known of a stop before its turn is read. */
export async function gatherStopFacts(event: StopEvent, place: Place, records: StopRecords): Promise<StopFacts> {
  const { agent, home, now } = place;
  const sessionId = event.sessionId ?? "";
  const session = await records.getSession(agent, sessionId);
  const known = await turnNamesAtStop(event, session);
  const root = findGitRoot(event.projectPath) ?? event.projectPath;
  const loaded = loadRules(root, home);
  const state: StopState = {
    event,
    wasBlocked: known.length > 0 && (await records.hasBlocked(agent, sessionId, known)),
    // A canary is to show that the hook works, also while a person has it wait.
    isSnoozed:
      place.isCanary !== true &&
      (await records.isSnoozed({ agent, sessionId, projectPaths: rootSpellings(root) }, now)),
    promptAt: isTurnOf(session, known) ? (session?.lastMessageSentAt ?? null) : null,
    checkpointAt: session?.lastCheckpointAt ?? null,
    timerSeconds: loaded.ok ? loaded.rules.timerSeconds : FALLBACK_TIMER_SECONDS,
    now,
  };
  const slug = session?.workingSlug ?? place.workingSlug;
  const isSafe = slug !== null && isSafeSlug(slug);
  return { session, known, loaded, state, workingSlug: isSafe ? slug : null, refusedSlug: isSafe ? null : slug };
}

/** When the human spoke, with what the turn itself tells. */
export function promptTime({ state, session }: StopFacts, timeline: TurnTimeline): Date | null {
  return state.promptAt ?? (timeline.hasData ? timeline.prompt?.timestamp : null) ?? session?.lastMessageSentAt ?? null;
}

/** The turn that stops, as far as it has been read. */
export interface StopTurn {
  readonly timeline: TurnTimeline;
  readonly promptAt: Date | null;
  /** A sentence for a message that goes out anyway. */
  readonly remark?: string | null;
}

/** What is to be said at the stop, and whether by its content it should. */
export function contentAtStop(
  { session, loaded, workingSlug, state }: StopFacts,
  { timeline, promptAt, remark }: StopTurn,
  { agent, now }: Place,
): Promise<CheckpointContent> {
  return getCheckpointContent({
    agentName: agent,
    projectPath: state.event.projectPath,
    transcriptPath: state.event.transcriptPath,
    workingSlug,
    session: session === null ? undefined : { ...session, lastStopAt: stopBefore(promptAt, session) },
    loadedRules: loaded,
    promptAt,
    timeline,
    now,
    remark,
  });
}

/** Whether the store's last prompt is the one that opened this turn. */
function isTurnOf(session: Session | null, names: readonly string[]): boolean {
  return session?.currentTurn != null && names.includes(session.currentTurn);
}

/** The last stop of an earlier turn: one of this turn that was not judged leaves its changes open. */
function stopBefore(promptAt: Date | null, { lastStopAt }: Session): Date | null {
  return lastStopAt !== null && promptAt !== null && lastStopAt < promptAt ? lastStopAt : null;
}
