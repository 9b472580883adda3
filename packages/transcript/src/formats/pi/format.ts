import { join } from "node:path";
import type { Entry } from "../../read/backwards.ts";
import { homeOf, listFolder, variableOf } from "../../read/files.ts";
import { dateAt, type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import { addCall, addOutcome, type Collection, type Outcome, readOutput } from "../../turn/calls.ts";
import type { ToolCallRecord, ToolKind, TurnEnding } from "../../types.ts";
import type { LinesDialect, LineUsage } from "../json-lines.ts";

/**
 * What the package knows of pi: a line per entry, the session's first. The entries form a tree, but what follows the last
 * prompt is always on the branch that the person is on.
 */
export const pi: LinesDialect = {
  sessionOf: (line) =>
    line["type"] === "session" && numberAt(line, "version") !== null
      ? { sessionId: textAt(line, "id"), projectPath: textAt(line, "cwd"), isSubAgent: false }
      : null,
  // Our own messages are a `custom_message`.
  promptOf: (line) => {
    const message = objectAt(line, "message");
    return message?.["role"] === "user" ? { text: textIn(message), id: textAt(line, "id") } : null;
  },
  replyOf: (line) => {
    const message = objectAt(line, "message");
    return message?.["role"] === "assistant" ? textIn(message) : null;
  },
  // A message typed while a tool runs comes right after the tool's result.
  refutes: (line) => {
    const role = textAt(objectAt(line, "message") ?? {}, "role");
    return role === null || role === "user" || role === "system" ? null : role === "toolResult";
  },
  mentions: ["user", "assistant", "toolResult"],
  collect,
  endOf: (line) => {
    const message = objectAt(line, "message");
    if (message === null || message["role"] === "system") return null;
    // After an interrupted command the reply that did not come is an error.
    if (ABORT_ERROR.test(textAt(message, "errorMessage") ?? "")) return "interrupted";
    return (message["role"] === "assistant" && ENDINGS[textAt(message, "stopReason") ?? ""]) || "unfinished";
  },
  usageOf,
  // The name of the folder is not looked at, since pi may change how it is made.
  findTranscript: (query) => {
    const root = join(variableOf(query, "PI_CODING_AGENT_DIR") ?? join(homeOf(query), ".pi", "agent"), "sessions");
    for (const folder of listFolder(root)) {
      const name = listFolder(join(root, folder)).find((file) => file.endsWith(`_${query.sessionId}.jsonl`));
      if (name !== undefined) return join(root, folder, name);
    }
    return null;
  },
};

const ABORT_ERROR = /\baborted\b/;

const ENDINGS: Readonly<Record<string, TurnEnding["kind"]>> = {
  stop: "stopped",
  length: "stopped",
  aborted: "interrupted",
  error: "failed",
};

const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ["bash", "shell"],
  ["powershell", "shell"],
  ["read", "read"],
  ["edit", "edit"],
  ["write", "write"],
  ["grep", "search"],
  ["find", "search"],
  ["ls", "search"],
]);

/** The text of a message, whose content is a string or a list of blocks. */
function textIn(message: JsonObject): string {
  const blocks = objectsAt(message, "content").map((block) => textAt(block, "text") ?? "");
  return textAt(message, "content") ?? blocks.join("\n");
}

function collect(into: Collection, { offset, value }: Entry, by: ToolCallRecord["by"]): void {
  const message = objectAt(value, "message") ?? {};
  const timestamp = dateAt(value, "timestamp");
  const result = message["role"] === "toolResult" ? textAt(message, "toolCallId") : null;
  if (result !== null) addOutcome(into, result, outcomeOf(message), timestamp);
  if (message["role"] !== "assistant") return;
  for (const block of objectsAt(message, "content").toReversed()) {
    const id = textAt(block, "id");
    const toolName = textAt(block, "name");
    if (block["type"] !== "toolCall" || id === null || toolName === null) continue;
    const inputData = objectAt(block, "arguments") ?? {};
    const kind = TOOL_KINDS.get(toolName) ?? "other";
    const path = kind === "shell" || kind === "other" ? null : textAt(inputData, "path");
    addCall(into, {
      id,
      toolName,
      kind,
      inputData,
      command: kind === "shell" ? textAt(inputData, "command") : null,
      cwd: null,
      files: path === null ? [] : [path],
      timestamp,
      by,
      offset,
    });
  }
}

/** The last line of a failed command's output; one that was ended by its time limit or by a person has no code. */
const EXIT_LINE = /(?:^|\n)Command exited with code (\d+)$/;
const ABORTED = /(?:^|\n)Command aborted$/;

function outcomeOf(result: JsonObject): Outcome {
  const text = textIn(result);
  const hadError = result["isError"] === true;
  const [, code] = (hadError && EXIT_LINE.exec(text)) || [];
  const isShell = TOOL_KINDS.get(textAt(result, "toolName") ?? "") === "shell";
  const exitCode = code === undefined ? (isShell && !hadError ? 0 : null) : Number(code);
  return { hadError, rejected: hadError && ABORTED.test(text), exitCode, ...readOutput(text) };
}

/** The total of the last request; pi does not write how large the window is. */
function usageOf(line: JsonObject): LineUsage | "compacted" | null {
  if (line["type"] === "compaction") return "compacted";
  const message = objectAt(line, "message") ?? {};
  const tokens = numberAt(objectAt(message, "usage") ?? {}, "totalTokens");
  if (message["role"] !== "assistant" || tokens === null || tokens === 0) return null;
  return { tokens, window: null, model: textAt(message, "model") };
}
