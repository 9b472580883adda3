import { expect, test } from "vitest";
import { advanceRollout, type RolloutState, UNREAD } from "./rollout-state.ts";
import { parseRolloutLine } from "./rollout-events.ts";
import { at, finished, idAt, line, meta, said, started, turn } from "./testing/rollout-lines.ts";
import { readRecording, SUB_AGENT } from "./testing/recordings.ts";
import { summarise } from "./testing/summarise.ts";

const read = (text: string): { readonly state: RolloutState; readonly events: readonly string[] } => {
  const given = text.split("\n").map((each) => parseRolloutLine(each));
  const { state, events } = advanceRollout(
    UNREAD,
    given.filter((event) => event !== null),
  );
  return {
    state,
    events: events.map((event) => `${summarise(event)}${"turnId" in event ? ` (${event.turnId})` : ""}`),
  };
};

const oldMessage = (second: number, message: string): string =>
  line(second, "event_msg", { type: "user_message", message });
const aborted = (second: number): string => line(second, "event_msg", { type: "turn_aborted" });
const message = (second: number, text: string): object => ({
  from: "user",
  at: at(second),
  opening: text.slice(0, 100),
});
const LONG = "run the tests ".repeat(20);
const ended = { how: "finished", hasMessage: true, hasError: false };

const turns = [
  {
    rollout: "that is empty",
    text: meta(1),
    turn: null,
  },
  {
    rollout: "in a turn",
    text: meta(1) + turn(2, "First") + started(10) + said(11, "Second", idAt(10)),
    turn: {
      id: idAt(10),
      startedAt: at(10),
      startedBy: null,
      messages: [message(11, "Second")],
      end: null,
      eventCount: 2,
    },
  },
  {
    rollout: "after a turn",
    text: meta(1) + turn(2, "First"),
    turn: {
      id: idAt(2),
      startedAt: at(2),
      startedBy: null,
      messages: [message(2, "First")],
      end: { ...ended, at: at(3) },
      eventCount: 3,
    },
  },
  {
    rollout: "steered, by messages that do not name their turn",
    text: meta(1) + started(2) + oldMessage(3, "First") + oldMessage(4, LONG),
    turn: {
      id: idAt(2),
      startedAt: at(2),
      startedBy: null,
      end: null,
      eventCount: 3,
      messages: [message(3, "First"), message(4, LONG)],
    },
  },
  {
    rollout: "whose turns have no ids",
    text: meta(1) + oldMessage(2, "First") + oldMessage(9, "Second"),
    turn: { id: null, startedAt: at(9), startedBy: null, messages: [message(9, "Second")], end: null, eventCount: 1 },
  },
  {
    rollout: "whose turns have starts without ids",
    text: meta(1) + line(2, "event_msg", { type: "task_started" }) + oldMessage(3, "First"),
    turn: { id: null, startedAt: at(2), startedBy: null, messages: [message(3, "First")], end: null, eventCount: 2 },
  },
  {
    rollout: "that was aborted, whose turns have no ids",
    text: meta(1) + oldMessage(2, "First") + aborted(4),
    turn: {
      id: null,
      startedAt: at(2),
      startedBy: null,
      messages: [message(2, "First")],
      eventCount: 2,
      end: { how: "aborted", at: at(4), hasMessage: false, hasError: false },
    },
  },
  {
    rollout: "of which only an end is known",
    text: finished(5, "t"),
    turn: { id: "t", startedAt: at(5), startedBy: null, messages: [], end: { ...ended, at: at(5) }, eventCount: 1 },
  },
];

test.for(turns)("the turn of a rollout $rollout", ({ text, turn }) => {
  expect(read(text).state.turn).toEqual(turn);
});

test("events name their turn", () => {
  const { events } = read(meta(1) + started(2) + oldMessage(3, "First") + aborted(4));
  const id = idAt(2);
  expect(events).toEqual(["thread interactive", `started by nobody (${id})`, `user: First (${id})`, `aborted (${id})`]);
});

test("a fork does not tell the turns that it copied", () => {
  const copied = meta(1) + started(2) + oldMessage(2, "First") + finished(3, idAt(2));
  const { events, state } = read(
    meta(50) + copied + oldMessage(51, "Copied too") + started(60) + oldMessage(61, "Own"),
  );
  const id = idAt(60);
  expect(events).toEqual(["thread interactive", `started by nobody (${id})`, `user: Own (${id})`]);
  expect(state.thread?.id).toBe(idAt(50));
});

test("a sub-agent is its own thread, not its parent's", () => {
  const { events } = read(readRecording(SUB_AGENT).toString("utf8"));
  const id = "29447fab-0000-7000-8000-000000000010";
  expect(events).toEqual(["thread sub-agent", `started by exec (${id})`, `finished: Too quiet. (${id})`]);
});
