import { isOwnMessage } from "@agent-checkpoint/composer";
import type { RolloutEvent, RolloutState, Thread } from "@agent-checkpoint/transcript/rollouts";

/** A turn of a human at the terminal that ended with the agent's word. */
export interface FinishedTurn {
  readonly thread: Thread;
  readonly rolloutPath: string;
  readonly turnId: string | null;
  readonly finishedAt: Date;
  /** Whether a hook of ours spoke in it, as the rollout shows. */
  readonly heardHook: boolean;
}

/** The state of a thread while a message is being delivered. */
export interface LiveThread {
  /** Whether the finished turn is still the last one: there was no message since. */
  readonly isStillLast: () => boolean;
  /** Whether the rollout shows a user message with this text since the turn finished. */
  readonly hasReceived: (text: string) => boolean;
}

/** A finished turn with the thread it happened in. */
export interface TurnToJudge {
  readonly turn: FinishedTurn;
  readonly live: LiveThread;
}

/** Tracks the state of the threads, as far as a delivery needs it. */
export interface LiveThreads {
  /** Processes the events of a rollout, and returns the turns that finished. */
  readonly take: (path: string, events: readonly RolloutEvent[], state: RolloutState) => readonly TurnToJudge[];
}

/** Follows threads from the events of their rollouts. */
export function createLiveThreads(): LiveThreads {
  const threads = new Map<string, Progress>();
  return {
    take: (path, events, state) => {
      const { thread } = state;
      if (thread === null || thread.kind !== "interactive") return [];
      const progress = threads.get(path) ?? newProgress();
      threads.set(path, progress);
      return events.flatMap((event) => {
        advance(progress, event);
        const turn = finishedTurn(event, { thread, path, state, progress });
        return turn === null ? [] : [{ turn, live: liveThread(progress) }];
      });
    },
  };
}

/** How far a thread has come since a turn finished. */
export interface Progress {
  /** How many turns have begun since we looked. */
  started: number;
  /** How many messages of users there were since we looked. */
  heard: number;
  /** The last of ours among them with their numbers; others may be long, and nobody asks for them. */
  received: readonly { readonly number: number; readonly text: string }[];
  /** The last turn in which a hook of ours spoke. */
  hookTurn: string | null;
  /** The last turn that a script asked for. */
  scriptTurn: string | null;
}

/** A thread that nothing is known about yet. */
export function newProgress(): Progress {
  return { started: 0, heard: 0, received: [], hookTurn: null, scriptTurn: null };
}

/** Takes an event into the progress of its thread. */
export function advance(progress: Progress, event: RolloutEvent): void {
  if (event.type === "turn-started") progress.started += 1;
  if (event.type === "turn-started" && event.startedBy === "exec") progress.scriptTurn = event.turnId;
  if (event.type === "hook-prompt" && isOwnMessage(event.text)) progress.hookTurn = event.turnId;
  if (event.type !== "user-message") return;
  progress.heard += 1;
  if (!isOwnMessage(event.text)) return;
  progress.received = [...progress.received, { number: progress.heard, text: event.text.trim() }].slice(-MAX_RECEIVED);
}

/** A quick turn may be over before anybody asks about its texts. */
const MAX_RECEIVED = 10;

/** A turn that ended longer ago is news to us only: its file was copied or found late. */
const FRESH_MS = 10 * 60_000;

/** Only a recent last message to a human is a stop; an error, an abort and an empty end are not. */
function finishedTurn(event: RolloutEvent, { thread, path, state, progress }: Circumstances): FinishedTurn | null {
  if (event.type !== "turn-finished" || event.hasError || (event.lastMessage ?? "") === "") return null;
  const { turnId, at } = event;
  // The state may be of the next turn already, and what happened before we looked is only there: both are asked.
  const turn = state.turn?.id === turnId ? state.turn : null;
  const isScript = turn?.startedBy === "exec" || (turnId !== null && progress.scriptTurn === turnId);
  if (isScript || (at !== null && Date.now() - at.getTime() > FRESH_MS)) return null;
  const heardHook =
    (turnId !== null && progress.hookTurn === turnId) ||
    turn?.messages.some(({ from, opening }) => from === "hook" && isOwnMessage(opening)) === true;
  return { thread, rolloutPath: path, turnId, finishedAt: at ?? new Date(), heardHook };
}

/** What is known when an event comes. */
interface Circumstances {
  readonly thread: Thread;
  readonly path: string;
  /** The rollout after the events that came together with this one. */
  readonly state: RolloutState;
  readonly progress: Progress;
}

function liveThread(progress: Progress): LiveThread {
  const { started, heard } = progress;
  return {
    isStillLast: () => progress.started === started,
    hasReceived: (text) => progress.received.some((message) => message.number > heard && message.text === text.trim()),
  };
}
