import { type JsonObject, objectAt, parseObject, textAt, textsAt } from "../../read/json.ts";
import type { Call } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";
import { commandLine } from "./command-line.ts";
import { parsePatch, runsApplyPatch } from "./parse-patch.ts";
import { FILE_ARGUMENTS, TOOL_KINDS } from "./tool-kinds.ts";

/** A call as Codex writes it, whatever its item type. */
export type CallDraft = Pick<Call, "id" | "toolName" | "kind" | "inputData" | "command" | "cwd" | "files">;

/** The call that a response item makes, or null where the item is none. */
export function parseCall(item: JsonObject): CallDraft | null {
  const parse = CALL_ITEMS.get(textAt(item, "type") ?? "");
  const id = textAt(item, "call_id") ?? textAt(item, "id");
  if (parse === undefined) return null;
  const { toolName, inputData, text } = parse(item);
  const cwd = textAt(inputData, "workdir") ?? textAt(inputData, "working_directory");
  return { id: id ?? "", toolName, inputData, cwd, ...meaning(toolName, inputData, text) };
}

interface Wire {
  readonly toolName: string;
  readonly inputData: JsonObject;
  /** The argument of a tool that takes plain text. */
  readonly text: string;
}

const CALL_ITEMS: ReadonlyMap<string, (item: JsonObject) => Wire> = new Map(
  Object.entries<(item: JsonObject) => Wire>({
    function_call: (item) => {
      const text = textAt(item, "arguments") ?? "";
      return { toolName: textAt(item, "name") ?? "", inputData: parseObject(text) ?? {}, text };
    },
    custom_tool_call: (item) => {
      const text = textAt(item, "input") ?? "";
      return { toolName: textAt(item, "name") ?? "", inputData: { input: text }, text };
    },
    local_shell_call: (item) => ({
      toolName: "local_shell_call",
      inputData: objectAt(item, "action") ?? {},
      text: "",
    }),
    web_search_call: (item) => ({ toolName: "web_search_call", inputData: objectAt(item, "action") ?? {}, text: "" }),
    tool_search_call: (item) => ({
      toolName: "tool_search_call",
      inputData: objectAt(item, "arguments") ?? {},
      text: "",
    }),
  }),
);

function meaning(toolName: string, input: JsonObject, text: string): Pick<Call, "kind" | "command" | "files"> {
  if (toolName === "apply_patch") {
    const patch = parsePatch(textAt(input, "input") ?? text);
    return { kind: patch?.kind ?? "edit", command: null, files: patch?.files ?? [] };
  }
  const kind = TOOL_KINDS.get(toolName) ?? "other";
  const argv = textsAt(input, "command");
  const command = kind === "shell" ? shellCommand(input, argv) : null;
  if (command !== null && (argv[0] === "apply_patch" || runsApplyPatch(command))) {
    const patch = parsePatch(argv[0] === "apply_patch" ? (argv[1] ?? "") : command);
    return { kind: patch?.kind ?? "edit", command: null, files: patch?.files ?? [] };
  }
  return { kind, command, files: filesNamed(kind, input) };
}

function shellCommand(input: JsonObject, argv: readonly string[]): string | null {
  return argv.length > 0 ? commandLine(argv) : (textAt(input, "cmd") ?? textAt(input, "command"));
}

const KINDS_WITH_FILES: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search"]);

function filesNamed(kind: ToolKind, input: JsonObject): readonly string[] {
  return KINDS_WITH_FILES.has(kind)
    ? FILE_ARGUMENTS.map((argument) => textAt(input, argument)).filter((file) => file !== null)
    : [];
}
