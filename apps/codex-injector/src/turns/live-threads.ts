import type { RolloutState } from "../rollouts/advance-rollout.ts";
import type { RolloutEvent, Thread } from "../rollouts/rollout-event.ts";

/** A turn of a human at the terminal that ended with the agent's word. */
export interface FinishedTurn {
  readonly thread: Thread;
  readonly rolloutPath: string;
  readonly turnId: string | null;
  readonly finishedAt: Date;
  /** Whether a hook of ours spoke in it, as the rollout shows. */
  readonly heardHook: boolean;
}

/** What goes on in a thread while a message is on its way into it. */
export interface LiveThread {
  /** Whether the finished turn is still the last one: nobody has said anything since. */
  readonly isStillLast: () => boolean;
  /** Whether the rollout shows a user message with this text since the turn finished. */
  readonly hasReceived: (text: string) => boolean;
}

/** A finished turn with the thread it happened in. */
export interface TurnToJudge {
  readonly turn: FinishedTurn;
  readonly live: LiveThread;
}

/** Keeps what is going on in the threads, as far as a delivery needs it. */
export interface LiveThreads {
  /** Takes in what a rollout tells, and gives the turns that finished. */
  readonly take: (path: string, events: readonly RolloutEvent[], state: RolloutState) => readonly TurnToJudge[];
}

/** Follows threads from the events of their rollouts. */
export function createLiveThreads(): LiveThreads {
  const threads = new Map<string, Progress>();
  return {
    take: (path, events, state) => {
      const { thread } = state;
      if (thread === null || thread.kind !== "interactive") return [];
      const progress = threads.get(path) ?? { started: 0, received: [] };
      threads.set(path, progress);
      return events.flatMap((event) => {
        advance(progress, event);
        const turn = finishedTurn(event, { thread, path, state });
        return turn === null ? [] : [{ turn, live: liveThread(progress) }];
      });
    },
  };
}

/** How far a thread has come since a turn finished. */
export interface Progress {
  /** How many turns have begun since we looked. */
  started: number;
  /** What users said since the last turn finished. */
  received: string[];
}

/** Takes an event into the progress of its thread. */
export function advance(progress: Progress, event: RolloutEvent): void {
  if (event.type === "turn-started") progress.started += 1;
  if (event.type === "user-message") progress.received.push(event.text.trim());
  if (event.type === "turn-finished" || event.type === "turn-aborted") progress.received = [];
}

/** A turn that ended longer ago is news to us only: its file was copied or found late. */
const FRESH_MS = 10 * 60_000;

/** An error, an abort and an empty end are no stop; the agent has to have said that it is done, to a human, just now. */
function finishedTurn(
  event: RolloutEvent,
  { thread, path, state }: { readonly thread: Thread; readonly path: string; readonly state: RolloutState },
): FinishedTurn | null {
  if (event.type !== "turn-finished" || event.hasError || (event.lastMessage ?? "") === "") return null;
  if (state.turn?.startedBy === "exec" || (event.at !== null && Date.now() - event.at.getTime() > FRESH_MS))
    return null;
  const messages = state.turn?.id === event.turnId ? state.turn.messages : [];
  return {
    thread,
    rolloutPath: path,
    turnId: event.turnId,
    finishedAt: event.at ?? new Date(),
    heardHook: messages.some(({ from, isOwn }) => from === "hook" && isOwn),
  };
}

function liveThread(progress: Progress): LiveThread {
  const { started } = progress;
  return {
    isStillLast: () => progress.started === started,
    hasReceived: (text) => progress.received.includes(text.trim()),
  };
}
