import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasToolResult, isMainLine, newCollector, readEntries } from "./calls.ts";
import type { Format } from "../format.ts";
import { readPeriod } from "../read-period.ts";
import { type Entry, newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { isWrittenSince, listFiles } from "../../read/files.ts";
import { dateAt, type JsonObject, objectAt, objectsAt, parseObject, textAt } from "../../read/json.ts";
import { EMPTY_PART, type SubAgent } from "../../turn/calls.ts";
import { digest } from "../../turn/find-turns.ts";
import type { TurnPrompt } from "../../types.ts";

/** Reads the turn that is at the end of a Claude Code transcript. */
export const readTurn: Format["readTurn"] = (transcript, { promptId, ownMessages = [] }) => {
  const { path, file } = transcript;
  const tally = newTally();
  const collector = newCollector(transcript, "main");
  let isClaude = false;
  // Some versions call their hooks after an error of the API as if the agent had stopped.
  let hasFailed: boolean | null = null;
  let prompt: Entry | null = null;
  // A built-in command with the hook's own prompt id opened the turn, unless a prompt with that id stands before it.
  let command: Entry | null = null;
  for (const entry of readEntriesBackwards(file, tally)) {
    const line = entry.value;
    isClaude ||= isClaudeLine(line);
    if (line["type"] === "assistant" && isMainLine(path, line)) hasFailed ??= line["isApiErrorMessage"] === true;
    collector.take(entry);
    if (!maySpeak(path, line)) continue;
    const isHinted = promptId !== undefined && textAt(line, "promptId") === promptId;
    if (command !== null && !isHinted) break;
    const kind = userLineKind(line, lineText(line), ownMessages);
    if (kind === "built-in-command" && isHinted) command = entry;
    if (kind === "prompt") {
      prompt = entry;
      break;
    }
  }
  if (!isClaude) return { status: "refused", reason: "not-a-transcript" };
  const opening = prompt ?? command;
  const isKnown = opening !== null || tally.isCutShort;
  return {
    status: "read",
    prompt: opening === null ? null : turnPrompt(opening),
    part: isKnown ? collector.part({ from: opening?.offset ?? 0, to: file.size }) : EMPTY_PART,
    isWhole: !tally.isCutShort,
    skippedLines: tally.skippedLines,
    ...(hasFailed === true && { hasFailed }),
  };
};

/** Whether a line can be something that was said to the main agent. */
export function maySpeak(path: string, line: JsonObject): boolean {
  return line["type"] === "user" && isMainLine(path, line) && !hasToolResult(line);
}

function isClaudeLine(line: JsonObject): boolean {
  return (line["type"] === "user" || line["type"] === "assistant") && typeof line["sessionId"] === "string";
}

function turnPrompt({ offset, value: line }: Entry): TurnPrompt {
  return {
    offset,
    get text() {
      return lineText(line);
    },
    get digest() {
      return digest(lineText(line));
    },
    timestamp: dateAt(line, "timestamp"),
    id: textAt(line, "promptId"),
  };
}

/**
 * Reads the sub-agents of a session.
 *
 * They stand in `<session>/subagents/`, those of workflows in folders below it; 2.0 wrote them beside the main file,
 * among those of other sessions, where only the ones that this turn's calls name are ours.
 */
export const readSubAgents: Format["readSubAgents"] = ({ path }, period, starters) => {
  const folder = dirname(path);
  const own = listFiles(join(folder, basename(path, ".jsonl"), "subagents"), { name: AGENT_FILE, depth: 2 });
  const beside = [...starters.keys()].filter(isFileName).map((agentId) => join(folder, `agent-${agentId}.jsonl`));
  return [...own, ...beside]
    .filter((file) => isWrittenSince(file, period.since))
    .map((file): SubAgent => {
      const { records, starters: nested } = readPeriod(file, period, { readEntries, newCollector });
      const key = basename(file, ".jsonl").slice("agent-".length);
      const starter = starters.has(key) ? null : starterFromMeta(file);
      return { key, part: { records, starters: starter === null ? nested : new Map(nested).set(key, starter) } };
    })
    .filter(({ part }) => part.records.length > 0);
};

const AGENT_FILE = /^agent-.+\.jsonl$/;

function isFileName(agentId: string): boolean {
  return /^[\w-]+$/.test(agentId);
}

/** A sub-agent that is still running has no result to name it, but a note beside its file names the call. */
function starterFromMeta(file: string): string | null {
  try {
    return textAt(parseObject(readFileSync(file.replace(/\.jsonl$/, ".meta.json"), "utf8")) ?? {}, "toolUseId");
  } catch {
    return null;
  }
}

/** What a `user` line without tool results is. */
export type UserLineKind = "prompt" | "built-in-command" | "other";

/**
 * Distinguishes a human prompt from the other things that Claude Code writes as `user` lines.
 *
 * A `<command-message>` first is a prompt command and runs the model; a `<command-name>` first is a built-in command,
 * which does so rarely (`/goal`): then newer versions say who opened the turn.
 */
export function userLineKind(line: JsonObject, text: string, ownMessages: readonly string[]): UserLineKind {
  if (FLAGS.some((flag) => line[flag] === true)) return "other";
  if (NOT_HUMAN.some((says) => says(line))) return "other";
  if (text.startsWith("<command-name>")) return opensTurn(line) ? "prompt" : "built-in-command";
  if (OPENINGS.some((opening) => text.startsWith(opening))) return "other";
  if (ownMessages.some((own) => own !== "" && text.startsWith(own))) return "other";
  return text === "" && !hasImage(line) ? "other" : "prompt";
}

/** The text of a `user` or `assistant` line. */
export function lineText(line: JsonObject): string {
  const message = objectAt(line, "message");
  if (message === null) return "";
  const blocks = objectsAt(message, "content").map((block) => textAt(block, "text"));
  return textAt(message, "content") ?? blocks.filter((text) => text !== null).join("\n");
}

const FLAGS = ["isMeta", "isCompactSummary"] as const;

const NOT_HUMAN: readonly ((line: JsonObject) => boolean)[] = [
  (line) => (textAt(objectAt(line, "origin") ?? {}, "kind") ?? "human") !== "human",
  (line) => textAt(line, "promptSource") === "system",
  (line) => textAt(line, "turnOrigin") === "task_notification",
];

/** How the texts begin that Claude Code writes in the human's place. */
const OPENINGS: readonly string[] = [
  "<local-command-",
  "<task-notification>",
  "<bash-notification>",
  "<bash-input>",
  "<bash-stdout>",
  "<bash-stderr>",
  "[Request interrupted by user",
  "Stop hook feedback:",
  "Caveat: The messages below were generated by the user while running local commands",
  "This session is being continued from a previous conversation that ran out of context",
];

function opensTurn(line: JsonObject): boolean {
  return textAt(line, "turnOrigin") !== null;
}

function hasImage(line: JsonObject): boolean {
  return objectsAt(objectAt(line, "message") ?? {}, "content").some((block) => block["type"] === "image");
}

/** What the main agent said in a line, empty if it worked instead; null if the line shows neither. */
export function lastWords(line: JsonObject): string | null {
  if (line["isSidechain"] === true || (line["type"] !== "assistant" && line["type"] !== "user")) return null;
  const blocks = new Set(objectsAt(objectAt(line, "message") ?? {}, "content").map((block) => block["type"]));
  if (blocks.has("tool_use") || blocks.has("tool_result")) return "";
  return line["type"] === "assistant" && blocks.has("text") ? lineText(line) : null;
}

/** Looks for the prompts of a Claude Code transcript. */
export const newTurnScan: Format["newTurnScan"] = ({ path }, { ownMessages = [] }) => ({
  mentions: ["user"],
  take: ({ value: line }) =>
    maySpeak(path, line) && userLineKind(line, lineText(line), ownMessages) === "prompt" ? { kind: "opens" } : null,
});
