import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings } from "../../testing/copy-recordings.ts";

const SESSION = "29447fab-0000-4000-8000-000000000003";

let folder: TestFolder;
beforeEach(() => {
  folder = copyRecordings("gemini");
});
afterEach(() => folder.remove());

/** How many calls of sub-agents a session shows that goes by a name, with the sub-agents in a folder beside it. */
function subAgentCalls(sessionId: string, subAgents: string): number {
  const chats = join(folder.path, "chats");
  mkdirSync(chats);
  cpSync(join(folder.path, SESSION), join(chats, subAgents), { recursive: true });
  const path = join(chats, "session.jsonl");
  writeFileSync(path, readFileSync(join(folder.path, "sub-agent.jsonl"), "utf8").replaceAll(SESSION, sessionId));
  return extractToolCallsCurrentTurnSync(path, "gemini").toolCalls.filter(({ by }) => by === "subagent").length;
}

test("stand in a folder beside the session's file, named for it", () => {
  expect(subAgentCalls("any-name", "any-name")).toBeGreaterThan(0);
});

test("in a folder of another name they are another session's", () => {
  expect(subAgentCalls("any-name", "other-name")).toBe(0);
});

test("a session whose name leads out of the folder has none", () => {
  expect(subAgentCalls("../elsewhere", "../elsewhere")).toBe(0);
});
