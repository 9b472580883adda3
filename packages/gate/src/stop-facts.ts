import { findRules, isSafeSlug, type LoadedRules } from "@agent-checkpoint/composer/rules";
import { findGitRoot } from "@agent-checkpoint/git";
import { isSnoozed, type Session, type Store } from "@agent-checkpoint/store";
import type { StopState } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";
import { rootSpellings } from "./root-spellings.ts";
import { turnNamesAtStop } from "./turn-names.ts";

/** What the store and the rules tell of a stop before its turn is read. */
export interface StopFacts {
  /** The root of the repository, else the folder that the agent was started in. */
  readonly root: string;
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
export interface StopRecords {
  readonly sessions: Pick<Store["sessions"], "list">;
  readonly stops: Pick<Store["stops"], "isBlocked">;
  readonly snoozes: Pick<Store["snoozes"], "list">;
}

const FALLBACK_TIMER_SECONDS = 30;

/** Gathers what is known of a stop before its turn is read. */
export async function gatherStopFacts(event: StopEvent, place: Place, records: StopRecords): Promise<StopFacts> {
  const { agent, home, now, keptRules } = place;
  const sessionId = event.sessionId ?? "";
  const [session = null] = await records.sessions.list({ agent, sessionId });
  const known = turnNamesAtStop(event, session);
  const root = findGitRoot(event.projectPath) ?? event.projectPath;
  const loaded = await findRules(root, home, keptRules);
  const state: StopState = {
    event,
    wasBlocked: known.length > 0 && (await records.stops.isBlocked(agent, sessionId, known)),
    // A canary is to show that the hook works, also while a person has it wait.
    isSnoozed:
      place.isCanary !== true &&
      isSnoozed(await records.snoozes.list(now), { agent, sessionId, projectPaths: rootSpellings(root) }),
    promptAt: isTurnOf(session, known) ? (session?.lastMessageSentAt ?? null) : null,
    checkpointAt: session?.lastCheckpointAt ?? null,
    timerSeconds: loaded.ok ? loaded.rules.timerSeconds : FALLBACK_TIMER_SECONDS,
    now,
  };
  const slug = session?.workingSlug ?? place.workingSlug;
  const isSafe = slug !== null && isSafeSlug(slug);
  return { root, session, known, loaded, state, workingSlug: isSafe ? slug : null, refusedSlug: isSafe ? null : slug };
}

/** Whether the store's last prompt is the one that opened this turn. */
function isTurnOf(session: Session | null, names: readonly string[]): boolean {
  return session?.currentTurn != null && names.includes(session.currentTurn);
}
