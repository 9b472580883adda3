import { isSnoozed, type Proof, type Session, type Store } from "@agent-checkpoint/store";
import { findProject, type Project } from "../find-project.ts";
import { isSafeSlug } from "../rules/read-project-file.ts";
import type { Moment, Place } from "./events.ts";
import type { RecordedStop, StopClock } from "./reason-to-pass.ts";
import { turnNamesAtStop } from "./turn-names.ts";

/** What the agent, the store and the rules tell of a stop before its turn is read. */
export interface StopFacts extends RecordedStop, StopClock {
  readonly event: Moment;
  readonly place: Place;
  readonly project: Project;
  readonly session: Session | null;
  /** The contents of files in the repository that were proven or asked about. */
  readonly settled: readonly Proof[];
  /** The names that the turn is known by. */
  readonly known: readonly string[];
  /** The slug that the session is set to, if it is a plain folder name. */
  readonly workingSlug: string | null;
  /** The slug that is no plain folder name, for the log. */
  readonly refusedSlug: string | null;
}

/** The part of the store that tells of a stop and changes nothing. */
export interface StopRecords {
  readonly sessions: Pick<Store["sessions"], "list">;
  readonly stops: Pick<Store["stops"], "isBlocked">;
  readonly snoozes: Pick<Store["snoozes"], "list">;
  readonly proofs: Pick<Store["proofs"], "list">;
}

const FALLBACK_TIMER_SECONDS = 30;

/** Gathers what is known of a stop before its turn is read. */
export async function gatherStopFacts(event: Moment, place: Place, records: StopRecords): Promise<StopFacts> {
  const { agent, home, now } = place;
  const sessionId = event.sessionId ?? "";
  const [session = null] = await records.sessions.list({ agent, sessionId });
  const known = turnNamesAtStop(event, session);
  const project = await findProject(event.projectPath, home);
  const { root, aliases, rules } = project;
  const slug = session?.workingSlug ?? place.workingSlug;
  const isSafe = slug !== null && isSafeSlug(slug);
  return {
    event,
    place,
    project,
    session,
    settled: await records.proofs.list(root),
    known,
    wasBlocked: known.length > 0 && (await records.stops.isBlocked(agent, sessionId, known)),
    // A canary shows that the hook works, also while it is snoozed.
    isSnoozed:
      place.isCanary !== true &&
      isSnoozed(await records.snoozes.list(now), { agent, sessionId, projectPaths: [root, ...aliases] }),
    promptAt: isTurnOf(session, known) ? (session?.lastMessageSentAt ?? null) : null,
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
