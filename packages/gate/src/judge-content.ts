import type { SaveRules } from "@agent-checkpoint/categories";
import { type CheckpointContent, MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { type ChangedFiles } from "@agent-checkpoint/git";
import type { Stop } from "@agent-checkpoint/store";
import { appendLog } from "@agent-checkpoint/store/files";
import { type PassReason, reasonToPass, type StopState } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Judging } from "./judge-stop.ts";
import type { Outcome, Place } from "./place.ts";
import { readStopTurn, untilWritten } from "./read-stop-turn.ts";
import { recordPass } from "./record-pass.ts";
import type { SaveFacts } from "./saving.ts";
import { contentAtStop, promptTime } from "./stop-content.ts";
import type { StopFacts } from "./stop-facts.ts";
import { stopRow } from "./stop-row.ts";
import { trailOf } from "./trail-of.ts";
import { turnNames } from "./turn-names.ts";

const FALLBACK_KEEP_DAYS = 90;

/** A stop that record and clock leave open, or whose work may have to be saved whatever they say. */
export interface OpenStop {
  readonly judging: Judging;
  readonly facts: StopFacts;
  /** What git says, as soon as it does; null where the rules cannot be used. */
  readonly changing: Promise<ChangedFiles> | null;
  readonly saveRules: SaveRules;
}

/** Decides a stop by its content, and records what was decided. */
export async function judgeContent(
  event: StopEvent,
  place: Place,
  { judging: { store, send, startedAt = 0, saving }, facts, changing, saveRules }: OpenStop,
): Promise<Outcome> {
  const { agent, now } = place;
  const sessionId = event.sessionId ?? "";
  const { known, loaded, workingSlug, refusedSlug, state } = facts;
  const work: SaveFacts = { event, session: facts.session, rules: saveRules };
  const early = reasonToPass(state);
  const isSettled = early !== null && early !== "no-prompt-time";
  const isLooked = saving !== undefined && isSaver(state);
  // How full the context is stands in the last message as well.
  if (isLooked || !isSettled) await untilWritten(event);
  const look = isLooked ? await saving.look(work) : null;
  const isOver = (reason: PassReason) => look?.isDue !== true || !SAVED_ANYWAY.has(reason);
  const passed = { store, startedAt, facts, look };
  if (isSettled && isOver(early)) {
    await recordPass(event, place, { ...passed, reason: early, trail: { promptAt: state.promptAt } });
    return { problem: null };
  }

  const timeline = readStopTurn(event, agent);
  const promptAt = promptTime(facts, timeline);
  const late = reasonToPass({ ...state, promptAt });
  if (late !== null && isOver(late)) {
    await recordPass(event, place, { ...passed, reason: late, trail: { promptAt, timeline } });
    return { problem: null };
  }

  if (refusedSlug !== null) appendLog(place.home, { level: "warn", event: "slug-refused", slug: refusedSlug });
  const turn = { timeline, promptAt, remark: look?.advice ?? null, changing };
  const content = await contentAtStop(facts, turn, place);
  const saved = look?.isDue === true && saving !== undefined ? await saving.save(work, content.result) : null;
  await deliver(content, turnNames(known, timeline));
  const isAdvised = late === null && content.deliver;
  const mark = saved?.mark ?? (isAdvised ? look?.markIfAdvised : undefined) ?? look?.mark;
  if (place.isCanary !== true) {
    await store.sessions.update(agent, sessionId, {
      projectPath: event.projectPath,
      transcriptPath: event.transcriptPath,
      touchedFiles: content.touchedFiles,
      ...(content.readUpTo !== null && { readUpTo: content.readUpTo }),
      ...(mark !== undefined && { contextMark: mark }),
    });
  }
  await store.prune(loaded.ok ? loaded.rules.keepDays : FALLBACK_KEEP_DAYS);
  return { problem: content.problem };

  /**
   * A block is sent only once it is recorded, recorded only once per turn, and given back if it does not arrive.
   * What was saved is said in the same block; where that is spent, the stop passes and the human is told.
   */
  async function deliver(
    { message, deliver: isDue, reason, result, changedFiles }: CheckpointContent,
    names: readonly string[],
  ): Promise<void> {
    const trail = trailOf(event, { promptAt, workingSlug, timeline, changedFiles });
    const save = saved?.outcome ?? look?.outcome;
    const words = late === null && isDue ? message : null;
    const said = saved?.message ?? null;
    const why = late ?? reason;
    const row = stopRow(event, place, { reason: why, turn: names[0] ?? null, result, trail, startedAt, save });
    const isSpent = late === "stop-hook-active" || late === "already-blocked";
    if (isSpent || (words === null && said === null)) return letGo(row);
    const text = joinMessages(words, said);
    const stop = { ...row, ...(words === null && { reason: "work-saved" }), messageLength: text.length };
    const { claimed } = await store.stops.claimBlock({ agent, sessionId, turns: names, at: now, stop });
    if (!claimed) return letGo({ ...row, reason: "already-blocked" });
    const sent = await send(text, saved?.extras);
    if (sent?.arrived === false)
      await store.stops.releaseBlock({ agent, sessionId, turns: names, reason: sent.reason });
    return undefined;
  }

  async function letGo(row: Stop): Promise<void> {
    await store.stops.record(row);
    if (saved !== null) saving?.tell(saved.extras);
  }
}

/** The reasons for which a stop passes and work is saved all the same: they are about blocking, not about the work. */
const SAVED_ANYWAY: ReadonlySet<PassReason> = new Set([
  "stop-hook-active",
  "already-blocked",
  "timer",
  "no-prompt-time",
]);

/** Whether the stop is one at which work may be saved: a session's own, of an agent that is allowed to change files. */
function isSaver({ event, isSnoozed }: StopState): boolean {
  return event.sessionId !== null && event.exemption === null && !isSnoozed;
}

/** One message of both; what was saved comes last, and begins like every message of ours where it stands alone. */
function joinMessages(words: string | null, said: string | null): string {
  if (words === null) return `${MESSAGE_PREFIX}${said ?? ""}`;
  return said === null ? words : `${words}\n\n${said}`;
}
