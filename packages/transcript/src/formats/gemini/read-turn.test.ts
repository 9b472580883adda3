import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings } from "../../testing/copy-recordings.ts";
import { summarise } from "../../testing/summarise.ts";
import { digest } from "../../turn/find-turns.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("gemini");
});
afterAll(() => folder.remove());

const linesOf = (recording: string): readonly string[] =>
  readFileSync(join(folder.path, recording), "utf8").trimEnd().split("\n");

const turnOf = (lines: readonly string[]): { readonly prompt: string | null; readonly calls: readonly string[] } => {
  const path = join(folder.path, "changed.jsonl");
  writeFileSync(path, lines.join("\n"));
  const timeline = extractToolCallsCurrentTurnSync(path, "gemini");
  const prompt = timeline.hasData ? (timeline.prompt?.digest ?? null) : null;
  return { prompt, calls: timeline.toolCalls.map((call) => summarise(call)) };
};

const indexOf = (lines: readonly string[], text: string): number => lines.findIndex((line) => line.includes(text));

test("a history that is only listed tells the turn too", () => {
  const lines = linesOf("resumed-session.jsonl");
  const listed = lines.findLastIndex((line) => line.includes('"$set":{"messages"'));
  expect(turnOf([lines[0] ?? "", lines[listed] ?? ""])).toEqual({
    prompt: digest("Check the greeting"),
    calls: ["shell sh check.sh: failed 3"],
  });
});

test("a listed history does not repeat what its lines tell", () => {
  const lines = linesOf("resumed-session.jsonl");
  const listed = lines.findLastIndex((line) => line.includes('"$set":{"messages"'));
  expect(turnOf(lines.slice(0, listed + 1))).toEqual({
    prompt: digest("Check the greeting"),
    calls: ["shell sh check.sh: failed 3"],
  });
});

test("a listed history that has lost its calls takes none away", () => {
  const lines = linesOf("resumed-in-the-same-minute.jsonl");
  const listed = lines.findLastIndex((line) => line.includes('"$set":{"messages"'));
  expect(turnOf(lines.slice(0, listed + 1)).calls).toEqual(["shell sh check.sh: failed 3"]);
});

test("what was rewound was not done in this turn", () => {
  const lines = linesOf("rewound-session.jsonl");
  expect(turnOf(lines.slice(0, indexOf(lines, "$rewindTo") + 2))).toEqual({
    prompt: digest("Check the greeting"),
    calls: ["shell sh check.sh: failed 3"],
  });
});

test("a message that was rewound is gone in all its versions", () => {
  const lines = linesOf("rewound-session.jsonl");
  const rewind = indexOf(lines, "$rewindTo");
  // The answer with a call stands in the file twice, first without the call.
  const twice = lines.slice(0, rewind).toReversed();
  const answer = /"id":"([^"]+)"/.exec(twice.find((line) => line.includes('"toolCalls"')) ?? "")?.[1] ?? "";
  const versions = twice.filter((line) => line.includes(`"id":"${answer}"`));
  expect(versions).toHaveLength(2);
  const both = lines.slice(0, rewind).map((line) => (line.includes(`"id":"${answer}"`) ? (versions[0] ?? "") : line));
  expect(turnOf([...both, JSON.stringify({ $rewindTo: answer })])).toEqual({
    prompt: digest("Run the program"),
    calls: [],
  });
});
