import { readFileSync } from "node:fs";
import { type AnswerExtras, type Payload, WIRES } from "@agent-checkpoint/agents/wire";
import type { JudgedStop, Outcome, StopEvent, StopFacts } from "@agent-checkpoint/composer";
import { concludeStop, gatherStopFacts, judgeStop, weighStop } from "@agent-checkpoint/composer/gate";
import { autosaveAtStop, planSave } from "./autosave-at-stop.ts";
import type { Store } from "@agent-checkpoint/store";
import { type HookPlace, withStore } from "./with-store.ts";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it pass, and tells the human something. */
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
    const send = (message: string) => call.block(message, extras);
    const { problem, isBlocked } = await concludeStop(judged, { store, send, addition: saved });
    if (!isBlocked && extras !== undefined) call.tell(extras);
    return { problem };
  });
}

/** What the agent did to its own checkpoint is told to the human, beside what was saved. */
function withNotices(extras: AnswerExtras | undefined, { facts, content }: JudgedStop): AnswerExtras | undefined {
  const seenUpTo = facts.session?.lastStopAt?.getTime() ?? 0;
  const isNew = (call: number) =>
    (content?.timeline.toolCalls[call - 1]?.timestamp?.getTime() ?? Number.POSITIVE_INFINITY) > seenUpTo;
  const notices = content?.checkpoint.notices.filter(({ calls }) => calls.some(isNew)) ?? [];
  if (notices.length === 0) return extras;
  const said = `agent-checkpoint: ${notices.map(({ text }) => text).join(" ")}`;
  return { ...extras, systemMessage: extras === undefined ? said : `${extras.systemMessage} ${said}` };
}

/** What to tell the human of a save before a compaction: there is nobody to answer then. */
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

/** One to do what is missing, one for the answer, and two for what goes wrong. */
const MIN_TURNS_LEFT = 4;

/** Lets a stop pass if a block could take the run past its limit of turns: it would fail without an answer. */
function withinTurnLimit(judged: JudgedStop, env: NodeJS.ProcessEnv): JudgedStop {
  if (judged.pass !== null || !judged.content.checkpoint.deliver) return judged;
  const limit = WIRES[judged.facts.place.agent].maxTurns?.(argvOfAgent(env)) ?? null;
  // A reply may hold several calls, so this is the most that it can have been.
  const taken = judged.content.timeline.toolCalls.filter(({ by }) => by === "main").length + 1;
  return limit === null || limit - taken >= MIN_TURNS_LEFT ? judged : { ...judged, pass: "turn-limit" };
}

/** The words that the agent was started with; none where the system does not tell by a file. */
function argvOfAgent(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    return readFileSync(`/proc/${Number(env["CLAUDE_PID"]) || process.ppid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
