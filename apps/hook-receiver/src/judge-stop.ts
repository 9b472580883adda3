import {
  type CheckpointContent,
  findGitRoot,
  getCheckpointContent,
  isSafeSlug,
  loadRules,
} from "@agent-checkpoint/composer";
import { appendLog, type Session, type Store } from "@agent-checkpoint/store";
import { reasonToPass, type StopState } from "./decide-stop.ts";
import type { StopEvent } from "./hook-event.ts";
import { readStopTurn } from "./read-stop-turn.ts";
import type { HookOutcome, HookPlace } from "./run-hook.ts";
import { stopRow } from "./stop-row.ts";
import { turnNames, turnNamesAtStop } from "./turn-names.ts";

const FALLBACK = { timerSeconds: 30, keepDays: 90 } as const;

/** Decides a stop by the record, the clock and the content, in that order, and records what was decided. */
export async function judgeStop(event: StopEvent, place: HookPlace, store: Store): Promise<HookOutcome> {
  const { agent, home, now } = place;
  const sessionId = event.sessionId ?? "";
  await store.foldJournal();
  const session = await store.getSession(agent, sessionId);
  const known = turnNamesAtStop(event, session);
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
    workingSlug: workingSlug(session, place),
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

  async function pass(reason: string): Promise<HookOutcome> {
    await store.recordStop(stopRow(event, place, { reason, turn: known[0] ?? null }));
    return { problem: null };
  }

  /** A block is sent only once it is recorded, and recorded only once per turn. */
  async function deliver(
    { message, deliver: isDue, reason, result }: CheckpointContent,
    names: readonly string[],
  ): Promise<void> {
    const row = stopRow(event, place, { reason, turn: names[0] ?? null, result });
    if (!isDue) return store.recordStop(row);
    const { claimed } = await store.claimBlock({ agent, sessionId, turns: names, at: now, stop: row });
    if (!claimed) return store.recordStop({ ...row, reason: "already-blocked" });
    return place.answer(message);
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
function workingSlug(session: Session | null, { env, home }: HookPlace): string | null {
  const slug = session?.workingSlug ?? env["CHECKPOINT_WORKING_SLUG"] ?? null;
  if (slug === null || slug === "" || isSafeSlug(slug)) return slug === "" ? null : slug;
  appendLog(home, { level: "warn", event: "slug-refused", slug });
  return null;
}
