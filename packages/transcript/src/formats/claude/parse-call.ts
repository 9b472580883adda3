import { type JsonObject, dateAt, objectAt, textAt } from "../../read/json.ts";
import type { Call } from "../../turn/call.ts";
import { FILE_ARGUMENTS, TOOL_KINDS } from "./tool-kinds.ts";

/** The call that a `tool_use` block of an `assistant` line makes, or null where the block is something else. */
export const parseCall = (
  block: JsonObject,
  { line, offset, by }: { line: JsonObject; offset: number; by: Call["by"] },
): Call | null => {
  const id = textAt(block, "id");
  const toolName = textAt(block, "name");
  if (block["type"] !== "tool_use" || id === null || toolName === null) return null;
  const inputData = objectAt(block, "input") ?? {};
  const kind = TOOL_KINDS.get(toolName) ?? "other";
  return {
    id,
    toolName,
    kind,
    inputData,
    command: kind === "shell" ? textAt(inputData, "command") : null,
    cwd: textAt(line, "cwd"),
    files: KINDS_WITH_FILES.has(kind) ? filesNamed(inputData) : [],
    timestamp: dateAt(line, "timestamp"),
    by,
    offset,
  };
};

const KINDS_WITH_FILES: ReadonlySet<string> = new Set(["read", "edit", "write", "search"]);

const filesNamed = (input: JsonObject): readonly string[] =>
  FILE_ARGUMENTS.map((argument) => textAt(input, argument)).filter((file) => file !== null);
