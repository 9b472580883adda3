import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { AgentName } from "./formats/agent-names.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";

const folder = mkdtempSync(join(tmpdir(), "object-names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A turn with one call of a tool with this name, as each agent writes it. */
const TURNS = {
  claude: (name) => [
    { type: "user", sessionId: "s", message: { role: "user", content: "Go" } },
    { type: "assistant", sessionId: "s", message: { content: [{ type: "tool_use", id: "1", name, input: {} }] } },
  ],
  gemini: (name) => [
    { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00.000Z", kind: "main" },
    { id: "1", timestamp: "2026-01-01T00:00:00.000Z", type: "user", content: [{ text: "Go" }] },
    {
      id: "2",
      timestamp: "2026-01-01T00:00:01.000Z",
      type: "gemini",
      content: "",
      toolCalls: [{ id: "1", name, args: {} }],
    },
  ],
  codex: (name) => [
    { timestamp: "2026-01-01T00:00:00.000Z", type: "session_meta", payload: { id: "s" } },
    { timestamp: "2026-01-01T00:00:00.000Z", type: "event_msg", payload: { type: "user_message", message: "Go" } },
    {
      timestamp: "2026-01-01T00:00:01.000Z",
      type: "event_msg",
      payload: { type: "item_completed", item: { type: name, id: "x" } },
    },
    { timestamp: "2026-01-01T00:00:01.000Z", type: "response_item", payload: { type: name, call_id: "0" } },
    {
      timestamp: "2026-01-01T00:00:01.000Z",
      type: "response_item",
      payload: { type: "function_call", call_id: "1", name, arguments: "{}" },
    },
  ],
} satisfies Partial<Record<AgentName, (name: string) => readonly object[]>>;

describe.for(["claude", "gemini", "codex"] as const)("%s", (agent) => {
  test.for(["constructor", "toString", "__proto__", "valueOf"])("a tool named %s is a tool like any other", (name) => {
    const path = join(folder, `${agent}-${name}.jsonl`);
    writeFileSync(
      path,
      TURNS[agent](name)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    const { toolCalls } = extractToolCallsCurrentTurnSync(path, agent);
    expect(toolCalls.map(({ toolName, kind }) => ({ toolName, kind }))).toEqual([{ toolName: name, kind: "other" }]);
  });
});
