import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readTurns } from "./read-turns.ts";
import { type TestFolder, copyRecordings, newFolder } from "./testing/copy-recordings.ts";
import { listRecordings } from "./testing/list-recordings.ts";
import { summarise } from "./testing/summarise.ts";
import { digest } from "./turn/find-turns.ts";
import type { PastTurn, ToolCallRecord, TurnHints, TurnsEnd } from "./types.ts";

const agents = AGENT_NAMES;

const folders = new Map<AgentName, TestFolder>();
let own: TestFolder;
beforeAll(() => {
  for (const agent of agents) folders.set(agent, copyRecordings(agent));
  own = newFolder();
});
afterAll(() => [own, ...folders.values()].forEach((folder) => folder.remove()));

const pathOf = (agent: AgentName, recording: string): string => join(folders.get(agent)?.path ?? "", recording);

const readAll = (
  path: string,
  agent: AgentName,
  hints: TurnHints = {},
): { readonly turns: readonly PastTurn[]; readonly end: TurnsEnd } => {
  const reading = readTurns(path, agent, hints);
  const turns: PastTurn[] = [];
  for (;;) {
    const next = reading.next();
    if (next.done === true) return { turns, end: next.value };
    turns.push(next.value);
  }
};

const write = (name: string, lines: readonly (object | string)[]): string => {
  const path = join(own.path, name);
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
};

/** At a stop of Codex a hook is told the turn's id. */
const hintsAtStop = (agent: AgentName, { timeline }: PastTurn): TurnHints =>
  agent === "codex" ? { promptId: timeline.prompt?.id ?? undefined } : {};

const byMain = (calls: readonly ToolCallRecord[]): readonly ToolCallRecord[] => calls.filter(({ by }) => by === "main");

const inOneLine = ({ ending, timeline }: PastTurn): string =>
  [ending.kind, timeline.toolCalls.map((call) => summarise(call)).join(", ")].filter((part) => part !== "").join(": ");

const recordings = listRecordings();

describe.for(recordings)("$agent/$name", ({ agent, name }) => {
  test("the last turn is the current one", () => {
    const path = pathOf(agent, name);
    const { turns, end } = readAll(path, agent);
    const [last] = turns.slice(-1);
    expect(end).toEqual({ status: "read", size: readFileSync(path).length });
    expect(last?.timeline).toEqual(
      extractToolCallsCurrentTurnSync(path, agent, last === undefined ? {} : hintsAtStop(agent, last)),
    );
  });

  test("turns come in the order of the file, each from its prompt on", () => {
    const { turns } = readAll(pathOf(agent, name), agent);
    expect(turns.length).toBeGreaterThan(0);
    for (const [index, { from, to, timeline }] of turns.entries()) {
      expect(timeline.prompt?.offset).toBe(from);
      expect(timeline.size).toBe(to);
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(turns[index + 1]?.from ?? to);
    }
  });
});

test.for(recordings.filter(({ name }) => name.endsWith(".jsonl")))(
  "each turn of $agent/$name is what a hook read when it ended",
  ({ agent, name }) => {
    const path = pathOf(agent, name);
    const whole = readFileSync(path);
    const { turns } = readAll(path, agent);
    try {
      for (const turn of turns) {
        writeFileSync(path, whole.subarray(0, turn.to));
        const then = extractToolCallsCurrentTurnSync(path, agent, hintsAtStop(agent, turn));
        // The files of sub-agents are those of today.
        expect({ ...then, toolCalls: byMain(then.toolCalls) }).toEqual({
          ...turn.timeline,
          toolCalls: byMain(turn.timeline.toolCalls),
        });
      }
    } finally {
      writeFileSync(path, whole);
    }
  },
);

const GREET = "/home/dev/project/src/greet.py";

const cases: readonly { agent: AgentName; recording: string; turns: readonly string[] }[] = [
  {
    agent: "claude",
    recording: "continued-session.jsonl",
    turns: ["stopped: shell sh check.sh: failed 3", "stopped: shell python3 src/greet.py: ok 0"],
  },
  {
    // The hook's feedback is no prompt, whatever the version.
    agent: "claude",
    recording: "blocked-once-then-finished-1.0.128.jsonl",
    turns: [
      `stopped: read ${GREET}: ok, shell sh check.sh: failed, edit ${GREET}: ok, shell python3 src/greet.py: ok 0, shell sh check.sh: ok 0`,
    ],
  },
  { agent: "claude", recording: "rejected-call.jsonl", turns: ["interrupted: shell rm -rf src: rejected", "stopped"] },
  {
    agent: "claude",
    recording: "interrupted.jsonl",
    turns: ["interrupted: shell python3 src/greet.py: ok 0, shell python3 -c 'import time; time.sleep(30)': rejected"],
  },
  { agent: "claude", recording: "api-error.jsonl", turns: ["failed: shell sh check.sh: failed 3"] },
  {
    agent: "claude",
    recording: "queued-while-answering.jsonl",
    turns: ["stopped: shell sh check.sh: failed 3", "stopped: shell python3 src/greet.py: ok 0"],
  },
  {
    agent: "claude",
    recording: "task-notification.jsonl",
    turns: ["stopped: shell sleep 2; sh check.sh: failed 3, shell python3 src/greet.py: ok 0"],
  },
  {
    agent: "claude",
    recording: "compacted-by-hand.jsonl",
    turns: ["stopped: shell sh check.sh: failed 3", "stopped: shell python3 src/greet.py: ok 0"],
  },
  {
    // The sub-agent belongs to the second turn, in which it was started.
    agent: "claude",
    recording: "sub-agent-in-background.jsonl",
    turns: [
      "stopped: shell python3 src/greet.py: ok 0",
      `stopped: agent Agent: ok, > shell python3 -c 'import time; time.sleep(1)': ok 0, > shell sh check.sh: failed 3, > read ${GREET}: ok, > edit ${GREET}: ok, > shell sh check.sh: ok 0`,
    ],
  },
  {
    agent: "gemini",
    recording: "two-prompts.jsonl",
    turns: [
      "stopped: shell sh check.sh: failed 3",
      "stopped: shell python3 src/greet.py: ok 0",
      "stopped: shell sh check.sh: failed 3",
    ],
  },
  {
    agent: "gemini",
    recording: "rewound-session.jsonl",
    turns: [
      "stopped: shell sh check.sh: failed 3",
      "stopped: shell python3 src/greet.py: ok 0",
      "stopped: shell cat src/greet.py: ok 0",
    ],
  },
  {
    agent: "gemini",
    recording: "denied-once-then-finished-0.38.2.json",
    turns: [
      "stopped: read src/greet.py: ok, shell sh check.sh: failed 3, edit src/greet.py: ok, shell python3 src/greet.py: ok 0",
      "stopped: shell sh check.sh: ok 0",
    ],
  },
  {
    agent: "gemini",
    recording: "interrupted.jsonl",
    turns: ["interrupted: shell sh check.sh: failed 3, shell sleep 30: rejected"],
  },
  { agent: "gemini", recording: "rejected-call.jsonl", turns: ["interrupted: shell rm -rf src: rejected"] },
  {
    agent: "codex",
    recording: "blocked-at-the-screen.jsonl",
    turns: [
      "stopped: shell sh check.sh: failed 3",
      "stopped: shell python3 src/greet.py: ok 0, shell sh check.sh: failed 3",
    ],
  },
  {
    // The second message went into the running turn.
    agent: "codex",
    recording: "steered-turn.jsonl",
    turns: ["stopped: shell sleep 6; sh check.sh: failed 3, shell python3 src/greet.py: ok 0"],
  },
  {
    agent: "codex",
    recording: "compacted-by-hand.jsonl",
    turns: ["stopped: shell sh check.sh: failed 3", "stopped: shell python3 src/greet.py: ok 0"],
  },
  {
    agent: "codex",
    recording: "interrupted.jsonl",
    turns: ["interrupted: shell sh check.sh: failed 3, shell sleep 30: rejected"],
  },
  { agent: "codex", recording: "declined-approval.jsonl", turns: ["interrupted: shell rm -rf src: rejected"] },
  { agent: "codex", recording: "api-error.jsonl", turns: ["failed: shell sh check.sh: failed 3"] },
  {
    agent: "codex",
    recording: "shell-calls-0.20.0.jsonl",
    turns: ["stopped: shell sh check.sh: failed 3, edit src/greet.py: ok, shell python3 src/greet.py: ok 0"],
  },
];

test.for(cases)("the turns of $agent/$recording", ({ agent, recording, turns }) => {
  expect(readAll(pathOf(agent, recording), agent).turns.map((turn) => inOneLine(turn))).toEqual(turns);
});

const ownMessages: readonly { agent: AgentName; recording: string; message: string }[] = [
  { agent: "claude", recording: "continued-session.jsonl", message: "What does it" },
  { agent: "gemini", recording: "denied-once-then-finished.jsonl", message: "Run the check" },
  { agent: "gemini", recording: "denied-once-then-finished-0.38.2.json", message: "Run the check" },
  { agent: "codex", recording: "queued-from-outside.jsonl", message: "Run the program" },
];

test.for(ownMessages)("our own message in $agent/$recording belongs to the turn", ({ agent, recording, message }) => {
  const path = pathOf(agent, recording);
  const { turns } = readAll(path, agent);
  expect(turns).toHaveLength(2);
  const hints = { ownMessages: [message] };
  const { turns: whole } = readAll(path, agent, hints);
  expect(whole.map(({ timeline }) => timeline)).toEqual([extractToolCallsCurrentTurnSync(path, agent, hints)]);
  expect(whole[0]?.timeline.toolCalls).toEqual(turns.flatMap(({ timeline }) => timeline.toolCalls));
});

describe("awkward files", () => {
  const meta = { sessionId: "s", projectHash: "00", startTime: "2026-11-16T02:00:00.000Z" };
  const asked = { id: "m1", timestamp: "2026-11-16T02:00:01.000Z", type: "user", content: [{ text: "Check it" }] };
  const answered = { id: "m2", timestamp: "2026-11-16T02:00:02.000Z", type: "gemini", content: "Done." };

  test("a prompt that is written again under its id opens one turn", () => {
    const path = write("again.jsonl", [meta, asked, asked, answered]);
    expect(readAll(path, "gemini").turns.map((turn) => inOneLine(turn))).toEqual(["stopped"]);
  });

  test("a prompt that only a repeated history holds opens a turn", () => {
    const path = write("repeated.jsonl", [meta, { $set: { messages: [asked] } }, answered]);
    const { turns } = readAll(path, "gemini");
    expect(turns.map(({ timeline }) => timeline)).toEqual([extractToolCallsCurrentTurnSync(path, "gemini")]);
    expect(turns[0]?.timeline.prompt).toMatchObject({ id: "m1", digest: digest("Check it") });
  });

  test("a session without a prompt has no turns", () => {
    const path = write("no-prompt.jsonl", [meta]);
    expect(readAll(path, "gemini")).toEqual({ turns: [], end: { status: "read", size: readFileSync(path).length } });
  });

  test("messages open turns in a rollout without events", () => {
    const lines = readFileSync(pathOf("codex", "shell-calls-0.45.0.jsonl"), "utf8").trimEnd().split("\n");
    const withoutEvents = lines.filter((line) => !line.includes('"type":"event_msg"'));
    const again = withoutEvents.slice(1).map((line) => line.replace(/"call_id":"/, '"call_id":"again-'));
    const path = write("without-events.jsonl", [...withoutEvents, ...again]);
    const turn = "stopped: shell sh check.sh: failed 3, edit src/greet.py: ok, shell python3 src/greet.py: ok 0";
    expect(readAll(path, "codex").turns.map((past) => inOneLine(past))).toEqual([turn, turn]);
  });

  test("what is written while it is read is of no account", () => {
    const path = write("growing.jsonl", [meta, asked, answered]);
    const { length: size } = readFileSync(path);
    const reading = readTurns(path, "gemini");
    expect(reading.next().value).toMatchObject({ to: size });
    appendFileSync(path, `${JSON.stringify({ ...asked, id: "m3" })}\n`);
    expect(reading.next()).toEqual({ done: true, value: { status: "read", size } });
  });

  test("a turn whose work is under way is unfinished", () => {
    const all = readFileSync(pathOf("claude", "continued-session.jsonl"), "utf8").trimEnd().split("\n");
    const call = all.findLastIndex((line) => line.includes('"type":"tool_use"'));
    const path = write("under-way.jsonl", all.slice(0, call + 1));
    expect(readAll(path, "claude").turns.map((turn) => inOneLine(turn))).toEqual([
      "stopped: shell sh check.sh: failed 3",
      "unfinished: shell python3 src/greet.py: no result",
    ]);
  });
});

const refusals = [
  { file: "nothing.jsonl", reason: "missing" },
  { file: "folder", reason: "unreadable" },
  { file: "fifo", reason: "unreadable" },
  { file: "empty.jsonl", reason: "empty" },
  { file: "other.jsonl", reason: "not-a-transcript" },
  { file: "text.json", reason: "not-a-transcript" },
];

describe.for(agents)("for %s, nothing", (agent) => {
  beforeAll(() => {
    mkdirSync(join(own.path, agent, "folder"), { recursive: true });
    execFileSync("mkfifo", [join(own.path, agent, "fifo")]);
    write(join(agent, "empty.jsonl"), []);
    write(join(agent, "other.jsonl"), [{ hello: "world" }, { type: "user", message: "hi" }]);
    write(join(agent, "text.json"), ["not JSON at all"]);
  });

  test.for(refusals)("from $file: $reason", ({ file, reason }) => {
    expect(readAll(join(own.path, agent, file), agent)).toEqual({ turns: [], end: { status: "refused", reason } });
  });
});

test("a sub-agent's calls are in its turn, whatever turns follow", () => {
  const first = readFileSync(pathOf("claude", "sub-agent.jsonl"), "utf8");
  const later = readFileSync(pathOf("claude", "sub-agent-in-background.jsonl"), "utf8");
  const path = join(own.path, "sub-agent.jsonl");
  writeFileSync(path, first + later.slice(0, later.lastIndexOf("\n", later.indexOf("Have somebody")) + 1));
  cpSync(pathOf("claude", "sub-agent"), join(own.path, "sub-agent"), { recursive: true, preserveTimestamps: true });
  const alone = readAll(pathOf("claude", "sub-agent.jsonl"), "claude").turns.map(inOneLine);
  expect(alone).toEqual([expect.stringContaining("> shell sh check.sh: failed 3")]);
  expect(readAll(path, "claude").turns.map(inOneLine)).toEqual([...alone, "stopped: shell python3 src/greet.py: ok 0"]);
});

test("a whole-file transcript beyond the limit is too large", () => {
  const path = write("huge.json", []);
  truncateSync(path, 65 * 1024 * 1024);
  expect(readAll(path, "gemini")).toEqual({ turns: [], end: { status: "refused", reason: "too-large" } });
});

/** The system gives the lowest number that is free. */
const nextDescriptor = (): number => {
  const fd = openSync(import.meta.filename, "r");
  closeSync(fd);
  return fd;
};

test("the file is closed, also where the reader goes away early", () => {
  const path = pathOf("claude", "continued-session.jsonl");
  const before = nextDescriptor();
  for (const turn of readTurns(path, "claude")) {
    expect(turn.from).toBeLessThan(turn.to);
    expect(nextDescriptor()).not.toBe(before);
    break;
  }
  expect(nextDescriptor()).toBe(before);
  readAll(path, "claude");
  expect(nextDescriptor()).toBe(before);
});
