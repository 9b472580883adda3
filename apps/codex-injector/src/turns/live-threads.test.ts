import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { UNREAD, advanceRollout, type RolloutEvent, type ThreadKind } from "@agent-checkpoint/transcript/rollouts";
import { createLiveThreads } from "./live-threads.ts";

const now = new Date();
const OURS = "agent-checkpoint: 1 action is still required";
const thread = (kind: ThreadKind): RolloutEvent => ({
  type: "thread",
  thread: { id: "t", cwd: "/home/dev/project", cliVersion: "0.166.0", kind, startedAt: now },
});
const started = (turnId: string, startedBy: "user" | "exec" = "user"): RolloutEvent => ({
  type: "turn-started",
  turnId,
  at: now,
  startedBy,
});
const says = (turnId: string, text: string): RolloutEvent => ({ type: "user-message", turnId, at: now, text });
const hookSays = (turnId: string, text: string): RolloutEvent => ({ type: "hook-prompt", turnId, at: now, text });
const finished = (turnId: string, changes: object = {}): RolloutEvent => ({
  type: "turn-finished",
  turnId,
  at: now,
  lastMessage: "Done.",
  hasError: false,
  ...changes,
});

/** Threads that have taken these events in, with the turns that finished. */
function taken(...events: RolloutEvent[]) {
  const threads = createLiveThreads();
  const seen: RolloutEvent[] = [];
  const take = (...more: RolloutEvent[]) => {
    seen.push(...more);
    return threads.take("/rollout.jsonl", more, advanceRollout(UNREAD, seen).state);
  };
  return { turns: take(...events), take };
}

describe("a turn is finished when the agent has told a human that it is done", () => {
  const cases = [
    { title: "a turn of a human", events: [thread("interactive"), started("a"), finished("a")], turns: ["a"] },
    {
      title: "a turn without a last message",
      events: [thread("interactive"), started("a"), finished("a", { lastMessage: null })],
      turns: [],
    },
    {
      title: "a turn that ended in an error",
      events: [thread("interactive"), started("a"), finished("a", { hasError: true })],
      turns: [],
    },
    {
      title: "a turn that was aborted",
      events: [thread("interactive"), started("a"), { type: "turn-aborted", turnId: "a", at: now } as const],
      turns: [],
    },
    {
      title: "a turn that a script asked for",
      events: [thread("interactive"), started("a", "exec"), finished("a")],
      turns: [],
    },
    {
      title: "a turn of last week",
      events: [thread("interactive"), started("a"), finished("a", { at: new Date(0) })],
      turns: [],
    },
    { title: "codex exec", events: [thread("exec"), started("a"), finished("a")], turns: [] },
    { title: "a sub-agent", events: [thread("sub-agent"), started("a"), finished("a")], turns: [] },
    { title: "a thread of unknown kind", events: [thread("other"), started("a"), finished("a")], turns: [] },
  ];
  test.for(cases)("$title: $turns", ({ events, turns }) => {
    expect(taken(...events).turns.map(({ turn }) => turn.turnId)).toEqual(turns);
  });
});

test("a hook of ours that spoke in the turn was heard", () => {
  const events = [thread("interactive"), started("a"), hookSays("a", "agent-checkpoint: 1 action is …"), finished("a")];
  expect(taken(...events).turns.map(({ turn }) => turn.heardHook)).toEqual([true]);
  const others = [thread("interactive"), started("a"), hookSays("a", "Somebody else's hook"), finished("a")];
  expect(taken(...others).turns.map(({ turn }) => turn.heardHook)).toEqual([false]);
});

test("a hook was heard also when the next turn's beginning came along with the end", () => {
  const events = [
    thread("interactive"),
    started("a"),
    hookSays("a", "agent-checkpoint: 1 action is …"),
    finished("a"),
    started("b"),
  ];
  expect(taken(...events).turns.map(({ turn }) => turn.heardHook)).toEqual([true]);
});

test("a script's turn is none of ours also when the next turn's beginning came along with the end", () => {
  const events = [thread("interactive"), started("a", "exec"), finished("a"), started("b")];
  expect(taken(...events).turns).toEqual([]);
});

test("a message is received also when the turn that it opened was over before anybody asked", () => {
  const { turns, take } = taken(thread("interactive"), started("a"), finished("a"));
  take(started("b"), says("b", OURS), finished("b"), started("c"), says("c", "more"), finished("c"));
  expect(turns[0]?.live.hasReceived(OURS)).toBe(true);
});

test("a finished turn is the last one until another begins", () => {
  const { turns, take } = taken(thread("interactive"), started("a"), finished("a"));
  const live = turns[0]?.live;
  expect(live?.isStillLast()).toBe(true);
  take(started("b"));
  expect(live?.isStillLast()).toBe(false);
});

test("a message is received when the rollout shows it after the turn", () => {
  const { turns, take } = taken(thread("interactive"), started("a"), says("a", OURS), finished("a"));
  const live = turns[0]?.live;
  expect(live?.hasReceived(OURS)).toBe(false);
  take(started("b"), says("b", `${OURS}\n`));
  expect(live?.hasReceived(OURS)).toBe(true);
  expect(live?.hasReceived("another")).toBe(false);
});

test("what people have said in many threads is not kept", () => {
  setFlagsFromString("--expose-gc");
  const used = () => {
    runInNewContext("gc")();
    return process.memoryUsage().heapUsed;
  };
  const threads = createLiveThreads();
  const before = used();
  const states = Array.from({ length: 50 }, (_, index) => {
    const text = `Do ${index}: ${"all of it ".repeat(100_000)}`.toUpperCase();
    const events = [thread("interactive"), started("a"), says("a", text), finished("a")];
    const { state } = advanceRollout(UNREAD, events);
    return { state, turns: threads.take(`/${index}.jsonl`, events, state) };
  });
  expect(used() - before).toBeLessThan(10_000_000);
  expect(states.flatMap(({ turns }) => turns)).toHaveLength(50);
});
