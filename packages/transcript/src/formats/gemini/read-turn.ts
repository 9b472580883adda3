import { dateAt, textAt } from "../../read/json.ts";
import { newTally } from "../../read/backwards.ts";
import { digest } from "../../turn/digest.ts";
import { EMPTY_PART } from "../../turn/calls.ts";
import type { TurnPrompt } from "../../types.ts";
import type { Collector, Format } from "../format.ts";
import { newCollector } from "./collect-line.ts";
import { newPromptSearch } from "./find-prompt.ts";
import { messageText } from "./is-prompt.ts";
import { type Message, readMessages } from "./read-entries.ts";
import { readSessionId } from "./read-session-id.ts";

/** Reads the turn that is at the end of a Gemini CLI transcript. */
export const readTurn: Format["readTurn"] = (transcript, hints) => {
  const tally = newTally();
  const reading = readMessages(transcript, tally);
  if (reading.status === "refused") return reading;
  const collector = newCollector(transcript, "main");
  const search = newPromptSearch(hints);
  const copies: Message[] = [];
  let isGemini = false;
  for (const message of reading.messages) {
    isGemini = true;
    if (message.isCopy) copies.push(message);
    else collector.take(message);
    if (search.take(message)) break;
  }
  if (!isGemini && readSessionId(transcript) === null) return { status: "refused", reason: "not-a-transcript" };
  const prompt = search.found();
  if (prompt !== null) takeCopies(collector, copies, prompt);
  const isKnown = prompt !== null || tally.isCutShort;
  return {
    status: "read",
    prompt: prompt === null ? null : turnPrompt(prompt),
    part: isKnown ? collector.part({ from: prompt?.offset ?? 0, to: transcript.file.size }) : EMPTY_PART,
    isWhole: !tally.isCutShort,
    skippedLines: tally.skippedLines,
  };
};

function turnPrompt({ offset, value }: Message): TurnPrompt {
  return {
    offset,
    get digest() {
      return digest(messageText(value));
    },
    timestamp: dateAt(value, "timestamp"),
    id: textAt(value, "id"),
  };
}

/** A repeated history also holds older turns: what came before the prompt does not count. */
function takeCopies(collector: Collector, copies: readonly Message[], prompt: Message): void {
  const since = dateAt(prompt.value, "timestamp");
  for (const copy of copies) {
    const moment = dateAt(copy.value, "timestamp");
    if (since !== null && moment !== null && moment >= since) collector.take(copy);
  }
}
