import { type AnswerExtras, type Payload, WIRES } from "@agent-checkpoint/agents/wire";
import type { JudgedStop, Outcome, Place, StopEvent, StopFacts } from "@agent-checkpoint/composer";
import { concludeStop, gatherStopFacts, judgeStop, syncBeside, weighStop } from "@agent-checkpoint/composer/gate";
import { readProcess } from "@agent-checkpoint/files";
import { autosaveAtStop, isOwnStop, planSave, userHome } from "./autosave-at-stop.ts";
import { openStore, type Store } from "@agent-checkpoint/store";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it pass with a message for the human. */
  readonly tell: (extras: AnswerExtras) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Payload;
}

/** Judges a stop with the store open; saving the session's work reads the same facts, and shares the turn's one block. */
export function handleStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Outcome> {
  return withStore(place, async (store) => {
    const facts = await gatherStopFacts(event, place, store);
    const plan = planSave(facts, call.env);
    // In a loop without a person, a turn's later stops are looked at too: the context may have filled up since.
    const judge = plan?.isAutonomous === true ? weighStop : judgeStop;
    const judged = withinTurnLimit(await judge(facts, { isAlone: place.isLast }), call.env);
    const isWaiting = judged.content === null || judged.pass === "background-tasks";
    const saved = plan === null || isWaiting ? null : await autosaveAtStop(judged, plan, call);
    const told = saved?.extras ?? (plan?.isAutonomous === true ? await savedSince(facts, store) : undefined);
    const extras = withNotices(told, judged);
    const answers = event.occasion == null ? null : await import("./answer-given.ts");
    const sent: string[] = [];
    const send = (message: string) => {
      call.block(message, extras);
      sent.push(message);
    };
    const { problem, isBlocked } = await concludeStop(judged, { store, send, addition: saved });
    for (const message of sent) answers?.keepAnswer(facts, message);
    const again = isBlocked ? null : (answers?.answerGiven(facts) ?? null);
    if (again !== null) call.block(again);
    else if (!isBlocked && extras !== undefined) call.tell(extras);
    if (place.isLast) await snapshotBeside(facts, isBlocked, call.env);
    if (place.isLast && place.isCanary !== true) await syncBeside(store, place.home, call.env);
    return { problem };
  });
}

/** Starts a snapshot beside a stop of a session, if the rules ask for it. */
async function snapshotBeside(facts: StopFacts, isBlocked: boolean, env: NodeJS.ProcessEnv): Promise<void> {
  const { event, place, project, known } = facts;
  const safety = project.rules.ok ? project.rules.rules.safety : undefined;
  const isWanted = safety?.snapshot === "every-stop" || (safety?.snapshot === "blocked" && isBlocked);
  if (safety === undefined || !isWanted || !isOwnStop(facts)) return;
  const { startSnapshot } = await import("./run-save-worker.ts");
  const reason = `stop of turn ${known[0] ?? "unknown"} of session ${event.sessionId ?? ""}`;
  const at = place.now.toISOString();
  startSnapshot({ root: project.root, userHome: userHome(env), reason, keepDays: safety.keepDays, at }, env);
}

/** Adds what the agent did to its own checkpoint to the message for the human. */
function withNotices(extras: AnswerExtras | undefined, { facts, content }: JudgedStop): AnswerExtras | undefined {
  const seenUpTo = facts.session?.lastStopAt?.getTime() ?? 0;
  const isNew = (call: number) =>
    (content?.timeline.toolCalls[call - 1]?.timestamp?.getTime() ?? Number.POSITIVE_INFINITY) > seenUpTo;
  const notices = content?.checkpoint.notices.filter(({ calls }) => calls.some(isNew)) ?? [];
  if (notices.length === 0) return extras;
  const said = `agent-checkpoint: ${notices.map(({ text }) => text).join(" ")}`;
  return { ...extras, systemMessage: extras === undefined ? said : `${extras.systemMessage} ${said}` };
}

/** The message to the human about a save before a compaction, which has no answer of its own. */
async function savedSince({ place, session }: StopFacts, store: Store): Promise<AnswerExtras | undefined> {
  const { agent } = place;
  const since = session?.lastStopAt ?? session?.firstSeenAt;
  const saves = await store.saves.list({ agent, since });
  const last = saves.find(({ trigger, sessionId }) => trigger === "compaction" && sessionId === session?.sessionId);
  if (last === undefined) return undefined;
  const { outcome, commit, files } = last;
  const what =
    commit === null ? `was not saved (${outcome})` : `was saved in ${commit.slice(0, 12)}: ${files.length} files`;
  return {
    systemMessage: `agent-checkpoint: before the compaction the work ${what}.`,
    execution: { enabled: true, outcome },
  };
}

/** One for the missing actions, one for the answer, and two in reserve. */
const MIN_TURNS_LEFT = 4;

/** Lets a stop pass if a block could take the run past its limit of turns: it would fail without an answer. */
function withinTurnLimit(judged: JudgedStop, env: NodeJS.ProcessEnv): JudgedStop {
  if (judged.pass !== null || !judged.content.checkpoint.deliver) return judged;
  const argv = readProcess(Number(env["CLAUDE_PID"]) || process.ppid)?.argv ?? [];
  const limit = WIRES[judged.facts.place.agent].maxTurns?.(argv) ?? null;
  // A reply may hold several calls, so this is the most that it can have been.
  const taken = judged.content.timeline.toolCalls.filter(({ by }) => by === "main").length + 1;
  return limit === null || limit - taken >= MIN_TURNS_LEFT ? judged : { ...judged, pass: "turn-limit" };
}

/** Where and when a hook was called. */
export interface HookPlace extends Place {
  /** Whether the process ends right after the event. */
  readonly isLast: boolean;
}

/** How long an event waits for others to finish with the database; then it passes. */
const BUSY_TIMEOUT_MS = 5000;

/** Handles an event with the store open; a store that cannot be opened is a problem for the log, and the event passes. */
export async function withStore(
  { home, now, isLast }: HookPlace,
  handle: (store: Store) => Promise<Outcome>,
): Promise<Outcome> {
  const opened = await openStore(home, { busyTimeoutMs: BUSY_TIMEOUT_MS, now: () => now });
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  try {
    return await handle(opened.store);
  } finally {
    // The last process to close a database waits for the disk; what is committed is as safe without it.
    if (!isLast) await opened.store.close();
  }
}
