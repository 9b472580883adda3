import { type JsonObject, objectAt, parseObject, textAt, textsAt } from "../../read/json.ts";
import type { Call } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/** A call as Codex writes it, whatever its item type. */
export type CallDraft = Pick<Call, "id" | "toolName" | "kind" | "inputData" | "command" | "cwd" | "files">;

/** The call that a response item makes; null if the item is not a call. */
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

/** What each of Codex's own tools does; the patch decides for `apply_patch`, all others are `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    shell: "shell",
    "container.exec": "shell",
    shell_command: "shell",
    exec_command: "shell",
    local_shell_call: "shell",
    read_file: "read",
    view_image: "read",
    grep_files: "search",
    list_dir: "search",
    spawn_agent: "agent",
  }),
);

/** The arguments that name a file, for the kinds that have one. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "path", "dir_path"];

const SHELL = /(?:^|[\\/])(?:bash|sh|zsh|dash|fish|pwsh|powershell)(?:\.exe)?$/i;
const SCRIPT_OPTION = /^-(?:[a-z]*c|Command)$/;

/** The command line that an argument list runs: the script itself if a shell runs it. */
export function commandLine(argv: readonly string[]): string {
  const [program = "", option = "", script] = argv;
  if (argv.length === 3 && script !== undefined && SHELL.test(program) && SCRIPT_OPTION.test(option)) return script;
  return argv.map((argument) => quoted(argument)).join(" ");
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** What a patch in Codex's own format does. */
export interface Patch {
  readonly kind: Extract<ToolKind, "edit" | "write">;
  readonly files: readonly string[];
}

const BEGIN = "*** Begin Patch";
const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Reads the headers of a patch anywhere in a text; null if there is none. */
export function parsePatch(text: string): Patch | null {
  const begin = text.indexOf(BEGIN);
  if (begin === -1) return null;
  const headers = [...text.slice(begin).matchAll(HEADER)];
  const files = headers.map(([, , file = ""]) => file.trim());
  return { kind: headers.every(([, action]) => action === "Add File") ? "write" : "edit", files: [...new Set(files)] };
}

/** Whether a command line runs `apply_patch`, which Codex runs instead of the shell. */
export function runsApplyPatch(command: string): boolean {
  // A line break begins a new command; as white space it would make the pattern quadratic.
  return /(?:^|&&|;|\n)[^\S\n]*(?:apply_patch|applypatch)\b/.test(command) && command.includes(BEGIN);
}
