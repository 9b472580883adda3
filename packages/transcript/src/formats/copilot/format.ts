import { join } from "node:path";
import { homeOf, isFile, variableOf } from "../../read/files.ts";
import { type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import type { LinesDialect, LineUsage } from "../json-lines.ts";
import { collect } from "./calls.ts";

/** What the package knows of Copilot CLI: each line is an event with its `data`; a sub-agent's have an `agentId`. */
export const copilot: LinesDialect = {
  sessionOf: (line) => {
    const data = dataOf(line);
    if (line["type"] !== "session.start" || data["producer"] !== "copilot-agent") return null;
    const projectPath = textAt(objectAt(data, "context") ?? {}, "cwd");
    return { sessionId: textAt(data, "sessionId"), projectPath, isSubAgent: false };
  },
  promptOf: (line) => {
    const data = dataOf(line);
    const text = line["type"] === "user.message" && isMain(line) ? textAt(data, "content") : null;
    // A message typed while the agent works is part of the running turn.
    const isHuman = !("source" in data) && data["delivery"] !== "steering";
    return text === null || text === "" || !isHuman ? null : { text, id: textAt(data, "messageId") };
  },
  replyOf: (line) => (line["type"] === "assistant.message" && isMain(line) ? textAt(dataOf(line), "content") : null),
  refutes: (line, { text }) => {
    if (!isMain(line)) return null;
    if (line["type"] !== "hook.end") return DECISIVE.has(String(line["type"])) ? false : null;
    // The reason of a blocked stop comes back as a message like any other.
    const reason = textAt(objectAt(dataOf(line), "output") ?? {}, "reason");
    return reason !== null && reason.trim() === text.trim() ? true : null;
  },
  mentions: ["user.message", "agentStop", "assistant.message"],
  collect,
  endOf: (line) => {
    if (!isMain(line)) return null;
    const { type } = line;
    if (type === "abort") return "interrupted";
    if (type === "session.error") return "failed";
    if (type === "tool.execution_start" || type === "tool.execution_complete") return "unfinished";
    if (type !== "assistant.message") return null;
    return objectsAt(dataOf(line), "toolRequests").length > 0 ? "unfinished" : "stopped";
  },
  usageOf,
  findTranscript: (query) => {
    const root = variableOf(query, "COPILOT_HOME") ?? join(homeOf(query), ".copilot");
    const path = join(root, "session-state", query.sessionId, "events.jsonl");
    return isFile(path) ? path : null;
  },
  late: { lastWords: stopTime, mayBeMissing: true, waitMs: 1000 },
};

/** Lines after which a message can only be a person's prompt. */
const DECISIVE: ReadonlySet<string> = new Set(["assistant.message", "user.message", "session.start"]);

function isMain(line: JsonObject): boolean {
  return !("agentId" in line);
}

function dataOf(line: JsonObject): JsonObject {
  return objectAt(line, "data") ?? {};
}

/** Its last line before a hook runs names the same moment as the hook's event; everything of the turn stands before it. */
function stopTime(line: JsonObject): string | null {
  const data = dataOf(line);
  if (line["type"] !== "hook.start" || data["hookType"] !== "agentStop") return null;
  return String(numberAt(objectAt(data, "input") ?? {}, "timestamp"));
}

/** The input of the last request, and the window of the model; versions before 1.0.102 do not write it. */
function usageOf(line: JsonObject): LineUsage | "compacted" | null {
  if (!isMain(line)) return null;
  if (line["type"] === "session.compaction_complete") return "compacted";
  const usage = line["type"] === "session.usage_record" ? objectAt(dataOf(line), "usage") : null;
  const tokens = usage === null ? null : numberAt(usage, "inputTokens");
  if (usage === null || tokens === null) return null;
  return {
    tokens: tokens + (numberAt(usage, "outputTokens") ?? 0),
    window: numberAt(usage, "maxPromptTokens"),
    model: textAt(usage, "model"),
  };
}
