import {
  type CheckpointContent,
  findGitRoot,
  getCheckpointContent,
  isSafeSlug,
  loadRules,
} from "@agent-checkpoint/composer";
import { appendLog, type Session, type Store } from "@agent-checkpoint/store";
import { reasonToPass, type StopState } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Outcome, Place } from "./place.ts";
import { readStopTurn } from "./read-stop-turn.ts";
import { stopRow } from "./stop-row.ts";
import { turnNames, turnNamesAtStop } from "./turn-names.ts";

const FALLBACK = { timerSeconds: 30, keepDays: 90 } as const;

/** What a stop is judged with. */
export interface Judging {
  readonly store: Store;
  /** Brings the message to the agent; called at most once, and only when the turn's one block is ours. */
  readonly send: (message: string) => void | Promise<Sent>;
  /** When the judgement began, on the clock of the process, where the process lives longer than one stop. */
  readonly startedAt?: number;
}

/** Whether a message that takes its time has reached the agent, or why not, in kebab-case. */
export type Sent = { readonly arrived: true } | { readonly arrived: false; readonly reason: string };

/** Decides a stop by the record, the clock and the content, in that order, and records what was decided. */
export async function judgeStop(
  event: StopEvent,
  place: Place,
  { store, send, startedAt = 0 }: Judging,
): Promise<Outcome> {
  const { agent, home, now } = place;
  const sessionId = event.sessionId ?? "";
  await store.foldJournal();
  const session = await store.getSession(agent, sessionId);
  const known = await turnNamesAtStop(event, session);
  const loaded = loadRules(findGitRoot(event.projectPath) ?? event.projectPath, home);
  const { timerSeconds, keepDays } = loaded.ok ? loaded.rules : FALLBACK;

  const state: StopState = {
    event,
    wasBlocked: known.length > 0 && (await store.hasBlocked(agent, sessionId, known)),
    promptAt: isTurnOf(session, known) ? (session?.lastMessageSentAt ?? null) : null,
    checkpointAt: session?.lastCheckpointAt ?? null,
    timerSeconds,
    now,
  };
  const early = reasonToPass(state);
  if (early !== null && early !== "no-prompt-time") return pass(early);

  const timeline = await readStopTurn(event, agent);
  const promptAt =
    state.promptAt ?? (timeline.hasData ? timeline.prompt?.timestamp : null) ?? session?.lastMessageSentAt ?? null;
  const late = reasonToPass({ ...state, promptAt });
  if (late !== null) return pass(late);

  const content = await getCheckpointContent({
    agentName: agent,
    projectPath: event.projectPath,
    transcriptPath: event.transcriptPath,
    workingSlug: slugOf(session, place),
    session: session === null ? undefined : { ...session, lastStopAt: stopBefore(promptAt, session) },
    loadedRules: loaded,
    promptAt,
    timeline,
    now,
  });
  await deliver(content, turnNames(known, timeline));
  await store.updateSession(agent, sessionId, {
    projectPath: event.projectPath,
    transcriptPath: event.transcriptPath,
    touchedFiles: content.touchedFiles,
    ...(content.readUpTo !== null && { readUpTo: content.readUpTo }),
  });
  await store.pruneIfDue(keepDays);
  return { problem: content.problem };

  async function pass(reason: string): Promise<Outcome> {
    await store.recordStop(stopRow(event, place, { reason, turn: known[0] ?? null, startedAt }));
    return { problem: null };
  }

  /** A block is sent only once it is recorded, recorded only once per turn, and given back if it does not arrive. */
  async function deliver(
    { message, deliver: isDue, reason, result }: CheckpointContent,
    names: readonly string[],
  ): Promise<void> {
    const row = stopRow(event, place, { reason, turn: names[0] ?? null, result, startedAt });
    if (!isDue) return store.recordStop(row);
    const { claimed } = await store.claimBlock({ agent, sessionId, turns: names, at: now, stop: row });
    if (!claimed) return store.recordStop({ ...row, reason: "already-blocked" });
    const sent = await send(message);
    if (sent?.arrived === false) await store.releaseBlock({ agent, sessionId, turns: names, reason: sent.reason });
    return undefined;
  }
}

/** Whether the store's last prompt is the one that opened this turn. */
function isTurnOf(session: Session | null, names: readonly string[]): boolean {
  return session?.currentTurn != null && names.includes(session.currentTurn);
}

/** The last stop of an earlier turn: one of this turn that was not judged leaves its changes open. */
function stopBefore(promptAt: Date | null, { lastStopAt }: Session): Date | null {
  return lastStopAt !== null && promptAt !== null && lastStopAt < promptAt ? lastStopAt : null;
}

/** The slug that the session is set to, refused where it is no plain folder name. */
function slugOf(session: Session | null, { workingSlug, home }: Place): string | null {
  const slug = session?.workingSlug ?? workingSlug;
  if (slug === null || isSafeSlug(slug)) return slug;
  appendLog(home, { level: "warn", event: "slug-refused", slug });
  return null;
}
