import { type JsonObject, dateAt, textAt } from "../../read/json.ts";
import { type Entry, newTally, readEntriesBackwards } from "../../read/read-entries-backwards.ts";
import { digest } from "../../turn/digest.ts";
import { EMPTY_PART } from "../../turn/part.ts";
import type { TurnPrompt } from "../../types.ts";
import type { Format } from "../format.ts";
import { isMainLine, newCollector } from "./collect-line.ts";
import { lineText, userLineKind } from "./is-prompt.ts";
import { hasToolResult } from "./parse-result.ts";

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
