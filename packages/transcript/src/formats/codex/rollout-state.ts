import type { RolloutEvent, Thread, TurnEvent } from "./rollout-events.ts";

/** What is known of a rollout: its thread and the turn at its end, and nothing before that. */
export interface RolloutState {
  readonly thread: Thread | null;
  readonly turn: Turn | null;
  /** The lines at hand are a copy of another thread's history. */
  readonly isCopy: boolean;
}

/** A turn, from what opened it to its end. */
export interface Turn {
  /** Null if Codex gives turns no ids. */
  readonly id: string | null;
  readonly startedAt: Date | null;
  readonly startedBy: Extract<TurnEvent, { readonly type: "turn-started" }>["startedBy"];
  /** What was said to the agent: first what opened the turn, then what was sent while it worked. */
  readonly messages: readonly TurnMessage[];
  /** How the turn ended; null while it lasts. */
  readonly end: TurnEnd | null;
  /** How many events the turn consists of so far. */
  readonly eventCount: number;
}

/** Something that was said to the agent; the text itself may be large. */
export interface TurnMessage {
  readonly from: "user" | "hook";
  readonly at: Date | null;
  /** How the text begins, so that messages of ours can be told from others. */
  readonly opening: string;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly how: "finished" | "aborted";
  readonly at: Date | null;
  /** Whether the agent wrote a last message. */
  readonly hasMessage: boolean;
  readonly hasError: boolean;
}

/** The state of a rollout, and the events that led to it. */
export interface Advance {
  readonly state: RolloutState;
  /** Each names its turn, where turns have ids. */
  readonly events: readonly RolloutEvent[];
}

/** Enough to recognise a message of ours by its fixed opening words. */
const MAX_OPENING = 100;

/** The state before anything was read. */
export const UNREAD: RolloutState = { thread: null, turn: null, isCopy: false };

/** Applies events to the state of their rollout; skips those that are not about its own thread. */
export function advanceRollout(state: RolloutState, given: Iterable<RolloutEvent>): Advance {
  const events: RolloutEvent[] = [];
  for (const event of given) {
    const next = advance(state, event);
    state = next.state;
    if (next.event !== null) events.push(next.event);
  }
  return { state, events };
}

/**
 * Later threads are copies of the first or belong to copied history, as do turns that are older than the thread.
 * A message that does not name its turn belongs to the one that lasts, and opens a turn if there is none.
 */
function advance(state: RolloutState, event: RolloutEvent): Step {
  if (event.type === "thread") {
    return state.thread === null ? { state: { ...state, thread: event.thread }, event } : { state, event: null };
  }
  if (isCopied(state, event)) return { state: { ...state, isCopy: true, turn: null }, event: null };
  const turn = turnOf(state, event);
  return {
    state: { ...state, isCopy: false, turn: withEvent(turn, event) },
    event: event.turnId === null ? { ...event, turnId: turn.id } : event,
  };
}

interface Step {
  readonly state: RolloutState;
  readonly event: RolloutEvent | null;
}

/** A version 7 UUID begins with its time, so that ids compare like the moments they were made. */
const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

function isCopied({ thread, isCopy }: RolloutState, { turnId }: TurnEvent): boolean {
  if (turnId === null) return isCopy;
  return thread !== null && TIMED_ID.test(thread.id) && TIMED_ID.test(turnId) && turnId < thread.id;
}

function turnOf({ turn }: RolloutState, event: TurnEvent): Turn {
  if (event.type === "turn-started") return newTurn(event.turnId, event.at, event.startedBy);
  const isSame = turn !== null && (event.turnId === null ? isGoingOn(turn, event) : event.turnId === turn.id);
  return isSame ? turn : newTurn(event.turnId, event.at, null);
}

/** Where turns have no ids they have no ends either: then each message of the human opens one. */
function isGoingOn({ id, end, messages }: Turn, { type }: TurnEvent): boolean {
  return end === null && (id !== null || messages.length === 0 || type !== "user-message");
}

function newTurn(id: string | null, startedAt: Date | null, startedBy: Turn["startedBy"]): Turn {
  return {
    id,
    startedAt,
    startedBy,
    messages: [],
    end: null,
    eventCount: 0,
  };
}

function withEvent(turn: Turn, event: TurnEvent): Turn {
  return {
    ...turn,
    messages: "text" in event ? [...turn.messages, messageOf(event)] : turn.messages,
    end: endOf(event) ?? turn.end,
    eventCount: turn.eventCount + 1,
  };
}

function messageOf({ type, at, text }: Extract<TurnEvent, { readonly text: string }>): TurnMessage {
  return {
    from: type === "hook-prompt" ? "hook" : "user",
    at,
    // A slice of a string keeps the whole of it in memory; a copy through bytes does not.
    opening: Buffer.from(text.slice(0, MAX_OPENING)).toString(),
  };
}

function endOf(event: TurnEvent): TurnEnd | null {
  const { at } = event;
  if (event.type === "turn-aborted") return { how: "aborted", at, hasMessage: false, hasError: false };
  if (event.type !== "turn-finished") return null;
  return { how: "finished", at, hasMessage: (event.lastMessage ?? "") !== "", hasError: event.hasError };
}
