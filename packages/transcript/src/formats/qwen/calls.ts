import type { Entry } from "../../read/backwards.ts";
import { dateAt, type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import { addCall, addOutcome, type Call, type Collection, type Outcome, readOutput } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/** Adds the calls and outcomes of a line of Qwen Code. */
export function collect(into: Collection, entry: Entry, by: Call["by"]): void {
  const { value: line } = entry;
  for (const part of objectsAt(objectAt(line, "message") ?? {}, "parts").toReversed()) {
    const call = line["type"] === "assistant" ? objectAt(part, "functionCall") : null;
    const parsed = call === null ? null : parseCall(call, entry, by);
    if (parsed !== null) addCall(into, parsed);
    const response = line["type"] === "tool_result" ? objectAt(part, "functionResponse") : null;
    const id = response === null ? null : textAt(response, "id");
    if (response === null || id === null) continue;
    const text = resultText(response);
    addOutcome(into, id, parseResult(objectAt(line, "toolCallResult") ?? {}, text), dateAt(line, "timestamp"));
    const [, agentId] = /^task_id: (\S+)/m.exec(text.slice(0, 500)) ?? [];
    if (agentId !== undefined) into.starters.set(agentId, id);
  }
}

function parseCall(call: JsonObject, { offset, value: line }: Entry, by: Call["by"]): Call | null {
  const id = textAt(call, "id");
  const toolName = textAt(call, "name");
  if (id === null || toolName === null) return null;
  const inputData = objectAt(call, "args") ?? {};
  const kind = TOOL_KINDS.get(toolName) ?? "other";
  const file = FILE_ARGUMENTS.map((name) => textAt(inputData, name)).find((path) => path !== null);
  return {
    id,
    toolName,
    kind,
    inputData,
    command: kind === "shell" ? textAt(inputData, "command") : null,
    cwd: kind === "shell" ? textAt(inputData, "directory") : null,
    files: kind === "shell" || file === undefined ? [] : [file],
    timestamp: dateAt(line, "timestamp"),
    by,
    offset,
  };
}

const FILE_ARGUMENTS = ["file_path", "absolute_path", "path"] as const;

/** What each of its own tools does; the rest, MCP tools among them, is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    run_shell_command: "shell",
    read_file: "read",
    read_many_files: "read",
    edit: "edit",
    write_file: "write",
    glob: "search",
    grep_search: "search",
    list_directory: "search",
    agent: "agent",
    task: "agent",
  }),
);

function resultText(response: JsonObject): string {
  const result = objectAt(response, "response") ?? {};
  return textAt(result, "output") ?? textAt(result, "error") ?? "";
}

/**
 * The outcome of a call.
 *
 * Up to 0.23 a failed command has the status of a success. Its exit code counts, which newer versions write
 * beside the text. Without one, a command that was not refused still runs.
 */
function parseResult(result: JsonObject, text: string): Outcome {
  const status = textAt(result, "status");
  const shown = objectAt(result, "resultDisplay") ?? {};
  const output = readOutput(text);
  if (status === "cancelled") return { hadError: false, rejected: true, exitCode: null, ...output };
  const [, code, signal] = TRAILER.exec(text.slice(-TRAILER_LENGTH)) ?? [];
  const exitCode = numberAt(shown, "exitCode") ?? (code === undefined || code === "(none)" ? null : Number(code));
  const isKilled = signal !== undefined && signal !== "0" && signal !== "(none)";
  const isOpen = exitCode === null && !isKilled && status !== "error" && text.startsWith("Background command");
  const hadError = exitCode === null ? status === "error" || isKilled : exitCode !== 0 || isKilled;
  return { hadError: isOpen ? null : hadError, rejected: false, exitCode, ...output };
}

const TRAILER_LENGTH = 1000;

/** The trailer after a command's output; the output itself may imitate it. */
const TRAILER = /\nExit Code: (-?\d+|\(none\))\nSignal: (\S+)\n(?:Background PIDs: .*\n)?Process Group PGID: .*\s*$/;
