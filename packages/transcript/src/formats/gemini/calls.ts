import type { Collector, Format } from "../format.ts";
import type { Entry } from "../../read/backwards.ts";
import { dateAt, type JsonObject, objectAt, objectsAt, textAt, textsAt } from "../../read/json.ts";
import {
  addCall,
  addOutcome,
  type Call,
  callsIn,
  type Collection,
  newCollection,
  type Outcome,
  pairCalls,
  readOutput,
} from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/** Collects the calls of a Gemini CLI transcript. */
export const newCollector: Format["newCollector"] = (_transcript, by): Collector => {
  const into = newCollection();
  return {
    take: (entry) => {
      for (const toolCall of objectsAt(entry.value, "toolCalls").toReversed())
        collectCall(into, toolCall, { entry, by });
    },
    part: (range) => ({ records: pairCalls(callsIn(into, range), into.outcomes), starters: into.starters }),
  };
};

function collectCall(into: Collection, toolCall: JsonObject, { entry, by }: { entry: Entry; by: Call["by"] }): void {
  const call = parseCall(toolCall, { message: entry.value, offset: entry.offset, by });
  if (call === null) return;
  addCall(into, call);
  const outcome = parseResult(toolCall, call.kind);
  if (outcome !== null) addOutcome(into, call.id, outcome, dateAt(toolCall, "timestamp"));
  const agentId = textAt(toolCall, "agentId");
  if (agentId !== null) into.starters.set(agentId, call.id);
}

/** The call in an entry of a message's `toolCalls`. */
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

/** What each of Gemini CLI's own tools does; a call with an `agentId` is `agent`, the rest is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    run_shell_command: "shell",
    read_file: "read",
    read_many_files: "read",
    replace: "edit",
    write_file: "write",
    glob: "search",
    grep_search: "search",
    list_directory: "search",
    search_file_content: "search",
    codebase_investigator: "agent",
    delegate_to_agent: "agent",
    invoke_agent: "agent",
  }),
);

/** The arguments that name files, one or a list, for the kinds that have them. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "absolute_path", "path", "dir_path", "paths", "include"];

/**
 * The outcome of a call, or null while it is not known.
 *
 * A failed command says `success`: only its trailer shows the failure.
 */
export function parseResult(toolCall: JsonObject, kind: ToolKind): Outcome | null {
  const text = resultText(toolCall);
  const status = textAt(toolCall, "status");
  if (status === "error") return { hadError: true, rejected: false, exitCode: null, ...readOutput(text) };
  if (status === "cancelled") return { hadError: false, rejected: true, exitCode: null, ...readOutput(text) };
  if (status !== "success") return null;
  if (kind !== "shell") return { hadError: false, rejected: false, exitCode: null, ...readOutput(text) };
  return { ...shellOutcome(text), rejected: false, ...readOutput(text) };
}

function resultText(toolCall: JsonObject): string {
  return objectsAt(toolCall, "result")
    .map((part) => objectAt(objectAt(part, "functionResponse") ?? {}, "response") ?? {})
    .map((response) => textAt(response, "output") ?? textAt(response, "error") ?? "")
    .join("\n");
}

const BACKGROUND = /^(?:<untrusted_context>\s*)?Command moved to background/;
const CLOSING = /\s*(?:<\/untrusted_context>\s*)?$/;
/** Every line that can stand after a command's output; the output itself may imitate them. */
const TRAILER = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/;
const TRAILER_LENGTH = 4096;
const NONE: ReadonlySet<string> = new Set(["0", "(none)"]);

function shellOutcome(text: string): Pick<Outcome, "hadError" | "exitCode"> {
  if (BACKGROUND.test(text)) return { hadError: null, exitCode: null };
  const found = new Map<string, string>();
  for (const line of text.slice(-TRAILER_LENGTH).replace(CLOSING, "").split("\n").toReversed()) {
    const [, name, value = ""] = TRAILER.exec(line.trimEnd()) ?? [];
    if (name === undefined || found.has(name)) break;
    found.set(name, value);
    // The exit code is the trailer's first line: what looks like one above it is the command's own output.
    if (name === "Exit Code") break;
  }
  const signal = found.get("Signal") ?? "0";
  const code = found.get("Exit Code") ?? "0";
  if (!NONE.has(signal)) return { hadError: true, exitCode: null };
  return { hadError: !NONE.has(code), exitCode: /^-?\d+$/.test(code) ? Number(code) : null };
}
