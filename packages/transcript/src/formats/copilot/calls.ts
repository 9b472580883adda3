import type { Entry } from "../../read/backwards.ts";
import { dateAt, type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import { addCall, addOutcome, type Call, type Collection, type Outcome, readOutput } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/** Adds the calls and outcomes of a line of Copilot CLI; a sub-agent's lines stand among the others. */
export function collect(into: Collection, { offset, value: line }: Entry, by: Call["by"]): void {
  const data = objectAt(line, "data") ?? {};
  const id = textAt(data, "toolCallId");
  if (id === null) return;
  if (line["type"] === "tool.execution_start") {
    const whose = "agentId" in line ? "subagent" : by;
    addCall(into, parseCall(data, { id, offset, by: whose, timestamp: dateAt(line, "timestamp") }));
  }
  if (line["type"] === "tool.execution_complete") addOutcome(into, id, parseResult(data), dateAt(line, "timestamp"));
}

function parseCall(data: JsonObject, place: Pick<Call, "id" | "offset" | "by" | "timestamp">): Call {
  const toolName = textAt(data, "toolName") ?? "";
  const inputData = argumentsOf(data);
  const kind = TOOL_KINDS.get(toolName) ?? "other";
  const path = textAt(inputData, "path");
  return {
    ...place,
    toolName,
    kind,
    inputData,
    command: kind === "shell" ? textAt(inputData, "command") : null,
    cwd: null,
    files: kind === "shell" || path === null ? [] : [path],
  };
}

/** The arguments, with what an edit replaces also under the names that most agents have for it; a patch is a text. */
function argumentsOf(data: JsonObject): JsonObject {
  const given = objectAt(data, "arguments");
  if (given === null) return { input: data["arguments"] };
  const named = COMMON_NAMES.filter(([own]) => own in given).map(([own, common]) => [common, given[own]] as const);
  return { ...given, ...Object.fromEntries(named) };
}

const COMMON_NAMES = [
  ["old_str", "old_string"],
  ["new_str", "new_string"],
  ["file_text", "content"],
] as const;

/** What each of its own tools does; the rest, MCP tools among them, is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    bash: "shell",
    powershell: "shell",
    view: "read",
    edit: "edit",
    apply_patch: "edit",
    create: "write",
    grep: "search",
    rg: "search",
    glob: "search",
    task: "agent",
  }),
);

/** The end of a command's output; older versions write its exit code nowhere else. */
const TRAILER = /<(?:shellId: \S+ completed|exited) with exit code (-?\d+)>\s*$/;

/** Results of a call that the user, or one of their rules, refused. */
const REFUSED: ReadonlySet<string> = new Set(["rejected", "denied"]);

/**
 * The outcome of a call.
 *
 * A failed command is a success of the tool, so its exit code counts. A command that still runs has neither.
 */
function parseResult(data: JsonObject): Outcome {
  const error = objectAt(data, "error");
  const text = textAt(objectAt(data, "result") ?? {}, "content") ?? textAt(error ?? {}, "message") ?? "";
  const code = numberAt(objectAt(data, "shellExecution") ?? {}, "exitCode") ?? codeIn(text);
  const isOpen = code === null && STILL_RUNNING.test(text);
  const rejected = REFUSED.has(textAt(error ?? {}, "code") ?? "");
  return {
    hadError: isOpen ? null : code === null ? data["success"] === false && !rejected : code !== 0,
    rejected,
    exitCode: code,
    ...readOutput(text),
    files: objectsAt(data, "fileEdits").flatMap((edit) => textAt(edit, "path") ?? []),
  };
}

const STILL_RUNNING = /^<command (?:with shellId|started)|<command with shellId: \S+ is still running/;

function codeIn(text: string): number | null {
  const code = TRAILER.exec(text.slice(-200))?.[1];
  return code === undefined ? null : Number(code);
}
