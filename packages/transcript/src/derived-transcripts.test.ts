import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readContextUsage } from "./read-context-usage.ts";
import { summarise } from "./testing/summarise.ts";
import { digest } from "./turn/find-turns.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/derived", import.meta.url));

const cases = [
  {
    agent: "claude",
    file: "claude-result-before-call",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "read /home/dev/project/src/greet.py: ok"],
  },
  {
    agent: "claude",
    file: "claude-queued-beside-result",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  { agent: "claude", file: "claude-progress", prompt: "Have somebody check the greeting", calls: ["agent Task: ok"] },
  {
    agent: "codex",
    file: "codex-bare",
    prompt: "Make the greeting loud",
    calls: ["shell sh check.sh: failed 3", "edit src/greet.py: ok", "shell sh check.sh: ok 0"],
  },
  {
    agent: "codex",
    file: "codex-compacted-in-the-turn",
    prompt: "Make the greeting loud",
    calls: [
      "shell sh check.sh: failed 3",
      "shell go test ./...: unknown",
      "shell go test ./...: ok 0",
      "other web_search_call: no result",
    ],
  },
] as const;

test.for(cases)("$file", ({ agent, file, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(join(FOLDER, `${file}.jsonl`), agent);
  expect(timeline.toolCalls.map((call) => summarise(call))).toEqual(calls);
  expect(timeline).toMatchObject({ isWhole: true, skippedLines: 0, prompt: { digest: digest(prompt) } });
});

test("Codex's context is not known after a compaction", () => {
  const path = join(FOLDER, "codex-compacted-in-the-turn.jsonl");
  expect(readContextUsage(path, "codex")).toEqual({ status: "unknown", reason: "compacted" });
});
