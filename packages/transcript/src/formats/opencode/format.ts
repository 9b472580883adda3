import { dirname, join } from "node:path";
import type { Entry } from "../../read/backwards.ts";
import { homeOf, isFile, variableOf } from "../../read/files.ts";
import { dateAt, type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import { addCall, addOutcome, type Collection, type Outcome, readOutput, type SubAgent } from "../../turn/calls.ts";
import type { ToolCallRecord, ToolKind } from "../../types.ts";
import type { Format } from "../format.ts";
import { jsonLines, type LinesDialect, type LineUsage } from "../json-lines.ts";
import { readPeriod } from "../read-period.ts";

/** What the package knows of OpenCode: the file that our plugin writes, a line per message, the session's first. */
export const opencode: LinesDialect = {
  sessionOf: (line) =>
    line["type"] === "opencode-session"
      ? {
          sessionId: textAt(line, "id"),
          projectPath: textAt(line, "cwd"),
          isSubAgent: textAt(line, "parent") !== null,
        }
      : null,
  // Text that a plugin or OpenCode adds is `synthetic`; withdrawn text is `ignored`.
  promptOf: (line) => {
    const info = objectAt(line, "info");
    const parts = info?.["role"] === "user" ? objectsAt(line, "parts") : [];
    const own = parts.filter(
      (part) => part["type"] === "text" && part["synthetic"] !== true && part["ignored"] !== true,
    );
    if (info === null || own.length === 0) return null;
    return { text: textIn(own), id: textAt(info, "id") };
  },
  replyOf: (line) => {
    const info = objectAt(line, "info") ?? {};
    if (info["role"] !== "assistant" || info["summary"] === true) return null;
    return textIn(objectsAt(line, "parts").filter(({ type }) => type === "text"));
  },
  // A message typed while a tool runs comes after the tool, and before the answer that the tool belongs to.
  refutes: (line) => {
    const info = objectAt(line, "info") ?? {};
    if (info["role"] !== "assistant" || info["summary"] === true) return null;
    const states = objectsAt(line, "parts")
      .map((part) => objectAt(part, "state"))
      .filter((state) => state !== null);
    return states.length > 0 && !("error" in info) && states.every(({ status }) => status === "completed");
  },
  mentions: ["user", "assistant"],
  collect,
  // The plugin writes the session when a text is complete, before OpenCode has set how the message finished.
  endOf: (line) => {
    const info = objectAt(line, "info") ?? {};
    if (info["role"] !== "assistant" || info["summary"] === true) return null;
    const error = textAt(objectAt(info, "error") ?? {}, "name");
    if (error !== null) return error === "MessageAbortedError" ? "interrupted" : "failed";
    return objectsAt(line, "parts").some(({ type }) => type === "tool") ? "unfinished" : "stopped";
  },
  readSubAgents,
  usageOf,
  findTranscript: (query) => {
    const data = variableOf(query, "XDG_DATA_HOME") ?? join(homeOf(query), ".local", "share");
    const path = join(data, "opencode", "agent-checkpoint", `${query.sessionId}.jsonl`);
    return isFile(path) ? path : null;
  },
};

function textIn(parts: readonly JsonObject[]): string {
  return parts.map((part) => textAt(part, "text") ?? "").join("\n");
}

/** What each tool does, and the argument that names its file. */
const TOOLS: Readonly<Record<string, { readonly kind: ToolKind; readonly file?: string }>> = {
  bash: { kind: "shell" },
  read: { kind: "read", file: "filePath" },
  edit: { kind: "edit", file: "filePath" },
  multiedit: { kind: "edit", file: "filePath" },
  write: { kind: "write", file: "filePath" },
  apply_patch: { kind: "edit" },
  grep: { kind: "search", file: "path" },
  glob: { kind: "search", file: "path" },
  list: { kind: "search", file: "path" },
  task: { kind: "agent" },
};

function collect(into: Collection, { offset, value }: Entry, by: ToolCallRecord["by"]): void {
  for (const part of objectsAt(value, "parts").toReversed()) {
    const id = textAt(part, "callID");
    const toolName = textAt(part, "tool");
    if (part["type"] !== "tool" || id === null || toolName === null) continue;
    const state = objectAt(part, "state") ?? {};
    const time = objectAt(state, "time") ?? {};
    const inputData = objectAt(state, "input") ?? {};
    const { kind = "other", file = "" } = (Object.hasOwn(TOOLS, toolName) && TOOLS[toolName]) || {};
    const path = textAt(inputData, file);
    addCall(into, {
      id,
      toolName,
      kind,
      inputData,
      command: kind === "shell" ? textAt(inputData, "command") : null,
      cwd: kind === "shell" ? textAt(inputData, "workdir") : null,
      files: path === null ? patchedFiles(toolName, inputData) : [path],
      timestamp: dateAt(time, "start") ?? dateAt(value, "timestamp"),
      by,
      offset,
    });
    const outcome = outcomeOf(state, kind);
    // A call of a tool that does not exist is answered by one of this name, without an error.
    const isInvalid = toolName === "invalid" && { hadError: true };
    if (outcome !== null) addOutcome(into, id, { ...outcome, ...isInvalid }, dateAt(time, "end"));
    const child = textAt(objectAt(state, "metadata") ?? {}, "sessionId");
    if (kind === "agent" && child !== null) into.starters.set(child, id);
  }
}

function patchedFiles(toolName: string, input: JsonObject): readonly string[] {
  const patch = toolName === "apply_patch" ? (textAt(input, "patchText") ?? "") : "";
  const headings = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return [...headings].map(([, file = ""]) => file.trim());
}

/** A failed command is "completed" too, so its exit code counts. */
function outcomeOf(state: JsonObject, kind: ToolKind): Outcome | null {
  const metadata = objectAt(state, "metadata") ?? {};
  if (state["status"] === "error") {
    const rejected = metadata["interrupted"] === true;
    return { hadError: true, rejected, exitCode: null, ...readOutput(textAt(state, "error") ?? "") };
  }
  if (state["status"] !== "completed") return null;
  const exitCode = kind === "shell" ? numberAt(metadata, "exit") : null;
  const hadError = kind === "shell" ? (exitCode === null ? null : exitCode !== 0) : false;
  return { hadError, rejected: false, exitCode, ...readOutput(textAt(state, "output") ?? "") };
}

/** A sub-agent has a session of its own, which the plugin writes beside the one that started it. */
function readSubAgents(
  { path }: Parameters<Format["readSubAgents"]>[0],
  period: Parameters<Format["readSubAgents"]>[1],
  starters: Parameters<Format["readSubAgents"]>[2],
): readonly SubAgent[] {
  return [...starters.keys()]
    .filter((key) => /^[\w-]+$/.test(key))
    .map((key) => ({ key, part: readPeriod(join(dirname(path), `${key}.jsonl`), period, jsonLines(opencode)) }))
    .filter(({ part }) => part.records.length > 0);
}

/** The total of the last reply; the window is not in the file. */
function usageOf(line: JsonObject): LineUsage | "compacted" | null {
  const info = objectAt(line, "info") ?? {};
  if (info["summary"] === true) return "compacted";
  const tokens = numberAt(objectAt(info, "tokens") ?? {}, "total");
  if (info["role"] !== "assistant" || tokens === null || tokens === 0) return null;
  return { tokens, window: null, model: textAt(info, "modelID") };
}
