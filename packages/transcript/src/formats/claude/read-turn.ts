import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { dateAt, type JsonObject, parseObject, textAt } from "../../read/json.ts";
import { isWrittenSince, listFiles } from "../../read/files.ts";
import { type Entry, newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { digest } from "../../turn/digest.ts";
import { EMPTY_PART, type SubAgent } from "../../turn/calls.ts";
import { readPeriod } from "../../turn/read-period.ts";
import type { TurnPrompt } from "../../types.ts";
import type { Format } from "../format.ts";
import { hasToolResult, isMainLine, newCollector } from "./calls.ts";
import { lineText, userLineKind } from "./prompts.ts";
import { readEntries } from "./read-entries.ts";

/** Reads the turn that is at the end of a Claude Code transcript. */
export const readTurn: Format["readTurn"] = (transcript, { promptId, ownMessages = [] }) => {
  const { path, file } = transcript;
  const tally = newTally();
  const collector = newCollector(transcript, "main");
  let isClaude = false;
  let prompt: Entry | null = null;
  // A built-in command with the hook's own prompt id opened the turn, unless a prompt with that id stands before it.
  let command: Entry | null = null;
  for (const entry of readEntriesBackwards(file, tally)) {
    const line = entry.value;
    isClaude ||= isClaudeLine(line);
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
  };
};

/** Whether a line can be something that was said to the main agent. */
export const maySpeak = (path: string, line: JsonObject): boolean =>
  line["type"] === "user" && isMainLine(path, line) && !hasToolResult(line);

const isClaudeLine = (line: JsonObject): boolean =>
  (line["type"] === "user" || line["type"] === "assistant") && typeof line["sessionId"] === "string";

const turnPrompt = ({ offset, value: line }: Entry): TurnPrompt => ({
  offset,
  get digest() {
    return digest(lineText(line));
  },
  timestamp: dateAt(line, "timestamp"),
  id: textAt(line, "promptId"),
});

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

const isFileName = (agentId: string): boolean => /^[\w-]+$/.test(agentId);

/** A sub-agent that is still running has no result to name it, but a note beside its file names the call. */
const starterFromMeta = (file: string): string | null => {
  try {
    return textAt(parseObject(readFileSync(file.replace(/\.jsonl$/, ".meta.json"), "utf8")) ?? {}, "toolUseId");
  } catch {
    return null;
  }
};
