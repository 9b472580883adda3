import { type JsonObject, dateAt, objectAt, textAt, textsAt } from "../../read/json.ts";
import type { Call } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";
import { FILE_ARGUMENTS, TOOL_KINDS } from "./tool-kinds.ts";

/** The call that an entry of a message's `toolCalls` tells of. */
export function parseCall(
  toolCall: JsonObject,
  { message, offset, by }: { message: JsonObject; offset: number; by: Call["by"] },
): Call | null {
  const id = textAt(toolCall, "id");
  const toolName = textAt(toolCall, "name");
  if (id === null || toolName === null) return null;
  const inputData = objectAt(toolCall, "args") ?? {};
  const kind = textAt(toolCall, "agentId") === null ? (TOOL_KINDS.get(toolName) ?? "other") : "agent";
  return {
    id,
    toolName,
    kind,
    inputData,
    command: kind === "shell" ? textAt(inputData, "command") : null,
    cwd: kind === "shell" ? (textAt(inputData, "dir_path") ?? textAt(inputData, "directory")) : null,
    files: filesNamed(kind, inputData, toolCall),
    // A call's own time is that of its batch's end.
    timestamp: dateAt(message, "timestamp") ?? dateAt(toolCall, "timestamp"),
    by,
    offset,
  };
}

const KINDS_WITH_FILES: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "edit", "write", "search"]);

function filesNamed(kind: ToolKind, args: JsonObject, toolCall: JsonObject): readonly string[] {
  if (!KINDS_WITH_FILES.has(kind)) return [];
  const named = FILE_ARGUMENTS.flatMap((argument) => [textAt(args, argument) ?? textsAt(args, argument)].flat());
  if (named.length > 0) return named;
  const shown = textAt(objectAt(toolCall, "resultDisplay") ?? {}, "filePath");
  return shown === null ? [] : [shown];
}
