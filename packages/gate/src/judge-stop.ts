import { SAVE_DEFAULTS, type SaveRules } from "@agent-checkpoint/categories";
import { type CheckpointContent, type LoadedRules, MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { appendLog, type Stop, type Store } from "@agent-checkpoint/store";
import { type PassReason, reasonToPass, type StopState } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Outcome, Place } from "./place.ts";
import { readStopTurn } from "./read-stop-turn.ts";
import type { AnswerExtras, SaveFacts, Saving } from "./saving.ts";
import { contentAtStop, gatherStopFacts, promptTime } from "./stop-facts.ts";
import { stopRow } from "./stop-row.ts";
import { trailOf, type TrailFacts } from "./trail-of.ts";
import { turnNames } from "./turn-names.ts";

const FALLBACK_KEEP_DAYS = 90;

/** What a stop is judged with. */
export interface Judging {
  readonly store: Store;
  /** Brings the message to the agent; called at most once, and only when the turn's one block is ours. */
  readonly send: (message: string, extras?: AnswerExtras) => void | Promise<Sent>;
  /** When the judgement began, on the clock of the process, where the process lives longer than one stop. */
  readonly startedAt?: number;
  /** Looks after the session's work when its context fills up; nobody does where it is not given. */
  readonly saving?: Saving | undefined;
}

/** Whether a message that takes its time has reached the agent, or why not, in kebab-case. */
export type Sent = { readonly arrived: true } | { readonly arrived: false; readonly reason: string };

/** Decides a stop by the record, the clock and the content, in that order, and records what was decided. */
export async function judgeStop(
  event: StopEvent,
  place: Place,
  { store, send, startedAt = 0, saving }: Judging,
): Promise<Outcome> {
  const { agent, now } = place;
  const sessionId = event.sessionId ?? "";
  await store.foldJournal();
  const facts = await gatherStopFacts(event, place, store);
  const { known, loaded, workingSlug, refusedSlug, state } = facts;
  const work: SaveFacts = { event, session: facts.session, rules: saveRules(loaded) };
  const look = saving !== undefined && isSaver(state) ? saving.look(work) : null;
  const isOver = (reason: PassReason) => look?.isDue !== true || !SAVED_ANYWAY.has(reason);
  const early = reasonToPass(state);
  if (early !== null && early !== "no-prompt-time" && isOver(early)) return pass(early, { promptAt: state.promptAt });

  const timeline = await readStopTurn(event, agent);
  const promptAt = promptTime(facts, timeline);
  const late = reasonToPass({ ...state, promptAt });
  if (late !== null && isOver(late)) return pass(late, { promptAt, timeline });

  if (refusedSlug !== null) appendLog(place.home, { level: "warn", event: "slug-refused", slug: refusedSlug });
  const content = await contentAtStop(facts, { timeline, promptAt, remark: look?.advice ?? null }, place);
  const saved = look?.isDue === true && saving !== undefined ? await saving.save(work, content.result) : null;
  await deliver(content, turnNames(known, timeline));
  const isAdvised = late === null && content.deliver;
  const mark = saved?.mark ?? (isAdvised ? look?.markIfAdvised : undefined) ?? look?.mark;
  if (place.isCanary !== true) {
    await store.updateSession(agent, sessionId, {
      projectPath: event.projectPath,
      transcriptPath: event.transcriptPath,
      touchedFiles: content.touchedFiles,
      ...(content.readUpTo !== null && { readUpTo: content.readUpTo }),
      ...(mark !== undefined && { contextMark: mark }),
    });
  }
  await store.pruneIfDue(loaded.ok ? loaded.rules.keepDays : FALLBACK_KEEP_DAYS);
  return { problem: content.problem };

  async function pass(reason: string, trailFacts: TrailFacts): Promise<Outcome> {
    const trail = trailOf(event, trailFacts);
    const save = look?.outcome;
    await store.recordStop(stopRow(event, place, { reason, turn: known[0] ?? null, trail, startedAt, save }));
    if (look?.mark !== undefined) await store.updateSession(agent, sessionId, { contextMark: look.mark });
    return { problem: null };
  }

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
    const stop = words === null ? { ...row, reason: "work-saved" } : row;
    const { claimed } = await store.claimBlock({ agent, sessionId, turns: names, at: now, stop });
    if (!claimed) return letGo({ ...row, reason: "already-blocked" });
    const sent = await send(joinMessages(words, said), saved?.extras);
    if (sent?.arrived === false) await store.releaseBlock({ agent, sessionId, turns: names, reason: sent.reason });
    return undefined;
  }

  async function letGo(row: Stop): Promise<void> {
    await store.recordStop(row);
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

function saveRules(loaded: LoadedRules): SaveRules {
  return (loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS;
}

/** One message of both; what was saved comes last, and begins like every message of ours where it stands alone. */
function joinMessages(words: string | null, said: string | null): string {
  if (words === null) return `${MESSAGE_PREFIX}${said ?? ""}`;
  return said === null ? words : `${words}\n\n${said}`;
}
