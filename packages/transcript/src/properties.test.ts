import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentName } from "./formats/agent-names.ts";
import { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readContextUsage } from "./read-context-usage.ts";
import { type TestFolder, newFolder } from "./testing/copy-recordings.ts";
import type { TurnTimeline } from "./types.ts";

interface Recording {
  readonly agent: AgentName;
  readonly name: string;
  /** Whether a line carries nothing but the result of a call. */
  readonly isResult: (line: string) => boolean;
  /** Lines that no version of the agent takes for anything. */
  readonly noise: readonly string[];
}

const NOISE = [
  "",
  "   ",
  "{",
  '{"type":"from-the-future","payload":{"type":"unknown"}}',
  "not JSON at all",
  "[1,2]",
  '"text"',
];

const RECORDINGS: readonly Recording[] = [
  {
    agent: "claude",
    name: "blocked-once-then-finished.jsonl",
    isResult: (line) => line.includes('"type":"tool_result"'),
    noise: [
      '{"type":"progress","data":{"type":"agent_progress","message":{"type":"assistant","content":[{"type":"tool_use","id":"toolu_x","name":"Bash","input":{}}]}}}',
      '{"type":"last-prompt","lastPrompt":"An older prompt","sessionId":"s"}',
      '{"type":"queue-operation","operation":"enqueue","content":"And this too","sessionId":"s"}',
      '{"type":"api-request-blob","message":{"role":"user","content":[{"type":"text","text":"Make the greeting loud"}]}}',
    ],
  },
  {
    agent: "claude",
    name: "parallel-calls.jsonl",
    isResult: (line) => line.includes('"type":"tool_result"'),
    noise: ['{"type":"system","subtype":"stop_hook_summary","sessionId":"s"}'],
  },
  {
    agent: "gemini",
    name: "call-errors.jsonl",
    isResult: (line) => line.includes('"functionResponse"') && line.includes('"type":"user"'),
    noise: [
      '{"$set":{"lastUpdated":"2026-11-16T03:00:00.000Z"}}',
      '{"id":"i","timestamp":"t","type":"info","content":"Hello"}',
    ],
  },
  {
    agent: "codex",
    name: "blocked-once-then-finished.jsonl",
    isResult: (line) => line.includes('_call_output"'),
    noise: [
      '{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":null}}',
      '{"timestamp":"t","type":"event_msg","payload":{"type":"item_completed","item":{"type":"FromTheFuture","id":"x"}}}',
      '{"timestamp":"t","type":"compacted","payload":{"replacement_history":[{"type":"message","role":"user","content":[]}]}}',
    ],
  },
  {
    agent: "codex",
    name: "blocked-once-then-finished-0.125.0.jsonl",
    isResult: (line) => line.includes('_call_output"'),
    noise: ['{"timestamp":"t","type":"turn_context","payload":{"cwd":"/p"}}'],
  },
];

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const readRecording = ({ agent, name }: Recording): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${agent}/${name}`, import.meta.url)));

const timelineOf = (agent: AgentName, bytes: Uint8Array | string, name = "session.jsonl"): TurnTimeline => {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return extractToolCallsCurrentTurnSync(path, agent);
};

/** A timeline without what must change when lines are added before or among the turn's. */
const essence = (timeline: TurnTimeline): object =>
  timeline.hasData
    ? { toolCalls: timeline.toolCalls, prompt: { ...timeline.prompt, offset: 0 }, isWhole: timeline.isWhole }
    : timeline;

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString("utf8").trimEnd().split("\n");

describe.for(["claude", "gemini", "codex"] as const)("for %s", (agent) => {
  const names = fc.constantFrom("session.jsonl", "session.json");

  const neverThrows = (bytes: Uint8Array, name: string): void => {
    const timeline = timelineOf(agent, bytes, name);
    const path = join(folder.path, name);
    expect(Array.isArray(timeline.toolCalls)).toBe(true);
    expect(Array.isArray(extractToolCallsBetween(path, agent, { from: 0, to: bytes.length }))).toBe(true);
    expect(["known", "unknown"]).toContain(readContextUsage(path, agent).status);
  };

  test("any bytes give a timeline", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), names, neverThrows), { numRuns: 60 });
  });

  test("any JSON gives a timeline", () => {
    const lines = fc.array(fc.json(), { maxLength: 6 }).map((values) => Buffer.from(values.join("\n")));
    fc.assert(fc.property(lines, names, neverThrows), { numRuns: 60 });
  });

  test("a damaged recording gives a timeline", () => {
    const recordings = RECORDINGS.map((recording) => readRecording(recording));
    const damaged = fc
      .tuple(
        fc.constantFrom(...recordings),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.uint8Array({ maxLength: 40 }),
      )
      .map(([bytes, where, damage]) => {
        const at = Math.floor(where * bytes.length);
        return Buffer.concat([bytes.subarray(0, at), damage, bytes.subarray(at + damage.length)]);
      });
    fc.assert(fc.property(damaged, names, neverThrows), { numRuns: 60 });
  });
});

describe.for(RECORDINGS)("for $agent/$name", (recording) => {
  const { agent, isResult, noise } = recording;
  const bytes = readRecording(recording);
  const lines = linesOf(bytes);

  test("noise lines anywhere change nothing", () => {
    const insertions = fc.array(fc.tuple(fc.nat(lines.length), fc.constantFrom(...NOISE, ...noise)), { maxLength: 8 });
    const original = essence(timelineOf(agent, bytes));
    fc.assert(
      fc.property(insertions, (inserted) => {
        const noisy = lines.flatMap((line, at) => [
          ...inserted.filter(([to]) => to === at).map(([, text]) => text),
          line,
        ]);
        const after = inserted.filter(([to]) => to === lines.length).map(([, text]) => text);
        expect(essence(timelineOf(agent, [...noisy, ...after].join("\n")))).toEqual(original);
      }),
      { numRuns: 40 },
    );
  });

  test("the order of the result lines does not matter", () => {
    const original = essence(timelineOf(agent, bytes));
    const results = lines.filter((line) => isResult(line));
    expect(results.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(fc.shuffledSubarray(results, { minLength: results.length }), (shuffled) => {
        const left = [...shuffled];
        const reordered = lines.map((line) => (isResult(line) ? (left.pop() ?? line) : line));
        expect(essence(timelineOf(agent, reordered.join("\n")))).toEqual(original);
      }),
      { numRuns: 30 },
    );
  });

  test("how much stands before the turn does not matter", () => {
    const original = essence(timelineOf(agent, bytes));
    const history = `${lines.join("\n")}\n`.repeat(Math.ceil((700 * 1024) / bytes.length));
    fc.assert(
      fc.property(fc.nat(600 * 1024), (cut) => {
        expect(essence(timelineOf(agent, history.slice(cut) + bytes.toString("utf8")))).toEqual(original);
      }),
      { numRuns: 8 },
    );
  });

  test("Windows line ends change nothing", () => {
    expect(essence(timelineOf(agent, lines.join("\r\n")))).toEqual(essence(timelineOf(agent, bytes)));
  });

  test("a torn last line is passed over and counted", () => {
    const torn = lines.at(-1)?.slice(0, -3) ?? "";
    const whole = essence(timelineOf(agent, lines.slice(0, -1).join("\n")));
    const timeline = timelineOf(agent, [...lines.slice(0, -1), torn].join("\n"));
    expect(essence(timeline)).toEqual(whole);
    expect(timeline).toMatchObject({ skippedLines: 1 });
  });
});
