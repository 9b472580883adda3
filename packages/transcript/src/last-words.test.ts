import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { extractToolCallsCurrentTurn, extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { AGENT_NAMES } from "./formats/agent-names.ts";
import { readTurns } from "./read-turns.ts";
import { copyRecordings } from "./testing/copy-recordings.ts";

const RECORDINGS = {
  claude: "tool-use-errors.jsonl",
  codex: "call-errors.jsonl",
  gemini: "call-errors.jsonl",
} as const;
const agents = AGENT_NAMES.filter((agent): agent is keyof typeof RECORDINGS => agent in RECORDINGS);
const folders = agents.map((agent) => ({ agent, ...copyRecordings(agent) }));
afterAll(() => folders.forEach((folder) => folder.remove()));

test.for(folders)("what $agent said last, at a stop and afterwards", ({ agent, path }) => {
  const file = join(path, RECORDINGS[agent]);
  const timeline = extractToolCallsCurrentTurnSync(file, agent);
  const words = timeline.hasData ? timeline.lastWords : undefined;
  expect(words).toMatch(/\w/);
  const reading = readTurns(file, agent);
  const past = [...reading].at(-1);
  expect(past?.timeline.lastWords).toBe(words);
});

test("what the hook was told counts before what is written", async () => {
  const { path } = folders.find(({ agent }) => agent === "gemini") ?? { path: "" };
  const file = join(path, RECORDINGS.gemini);
  const timeline = await extractToolCallsCurrentTurn(file, "gemini", { lastMessage: "Which one?" });
  expect(timeline.hasData && timeline.lastWords).toBe("Which one?");
});
