import { basename, dirname, join } from "node:path";
import { homeOf, isFile, isWrittenSince, listFiles, listFolder, variableOf } from "../../read/files.ts";
import { type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import type { SubAgent } from "../../turn/calls.ts";
import type { Format } from "../format.ts";
import { jsonLines, type LinesDialect, type LineUsage } from "../json-lines.ts";
import { readPeriod } from "../read-period.ts";
import { collect } from "./calls.ts";

/** What the package knows of Qwen Code: lines like Claude Code's, with the messages of Gemini's API in them. */
export const qwen: LinesDialect = {
  sessionOf: (line) => {
    const sessionId = textAt(line, "sessionId");
    if (sessionId === null || !Array.isArray(objectAt(line, "message")?.["parts"])) return null;
    return { sessionId, projectPath: textAt(line, "cwd"), isSubAgent: line["isSidechain"] === true };
  },
  // The reason of a blocked stop is not in the transcript.
  promptOf: (line) => {
    const isHuman = (line["provenance"] ?? "real_user") === "real_user" && !("subtype" in line);
    const text = line["type"] === "user" && isHuman ? lineText(line) : "";
    return text === "" ? null : { text, id: null };
  },
  replyOf: (line) => (line["type"] === "assistant" ? lineText(line) : null),
  mentions: ["user"],
  collect,
  endOf: (line) => {
    if (line["type"] === "tool_result")
      return textAt(objectAt(line, "toolCallResult") ?? {}, "status") === "cancelled" ? "interrupted" : "unfinished";
    if (line["type"] !== "assistant") return null;
    return hasCall(line) ? "unfinished" : "stopped";
  },
  readSubAgents,
  usageOf,
  findTranscript: (query) => {
    const root = variableOf(query, "QWEN_HOME") ?? join(homeOf(query), ".qwen");
    const projects = join(root, "projects");
    const own = query.projectPath.replace(/[^a-zA-Z0-9]/g, "-");
    const folders = [own, ...listFolder(projects)];
    const files = folders.map((folder) => join(projects, folder, "chats", `${query.sessionId}.jsonl`));
    return files.find((file) => isFile(file)) ?? null;
  },
  late: { lastWords, mayBeMissing: true, waitMs: 1000 },
};

function partsOf(line: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(line, "message") ?? {}, "parts");
}

function hasCall(line: JsonObject): boolean {
  return partsOf(line).some((part) => "functionCall" in part);
}

function lineText(line: JsonObject): string {
  return partsOf(line)
    .filter((part) => part["thought"] !== true)
    .map((part) => textAt(part, "text") ?? "")
    .join("");
}

function lastWords(line: JsonObject): string | null {
  if (line["type"] === "tool_result") return "";
  if (line["type"] !== "assistant") return null;
  return hasCall(line) ? "" : lineText(line);
}

/** Reads the sub-agents of a session, each from a file of its own beside the folder of the chats. */
function readSubAgents(
  { path }: Parameters<Format["readSubAgents"]>[0],
  period: Parameters<Format["readSubAgents"]>[1],
): readonly SubAgent[] {
  const folder = join(dirname(dirname(path)), "subagents", basename(path, ".jsonl"));
  return listFiles(folder, { name: /^agent-.+\.jsonl$/, depth: 0 })
    .filter((file) => isWrittenSince(file, period.since))
    .map((file) => ({
      key: basename(file, ".jsonl").slice("agent-".length),
      part: readPeriod(file, period, jsonLines(qwen)),
    }))
    .filter(({ part }) => part.records.length > 0);
}

/** The input and output of the last request; the window is a user setting that no line names. */
function usageOf(line: JsonObject): LineUsage | "compacted" | null {
  if (line["subtype"] === "chat_compression") return "compacted";
  const tokens = numberAt(objectAt(line, "usageMetadata") ?? {}, "totalTokenCount");
  if (line["type"] !== "assistant" || tokens === null) return null;
  return { tokens, window: null, model: textAt(line, "model") };
}
