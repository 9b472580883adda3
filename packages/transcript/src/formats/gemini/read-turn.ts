import type { Collector, Format } from "../format.ts";
import { newCollector } from "./calls.ts";
import { isPrompt, isReportedPrompt, messageText } from "./is-prompt.ts";
import { type Message, readMessages } from "./read-entries.ts";
import { readSessionId } from "./sessions.ts";
import { newTally } from "../../read/backwards.ts";
import { dateAt, textAt } from "../../read/json.ts";
import { EMPTY_PART } from "../../turn/calls.ts";
import { digest } from "../../turn/find-turns.ts";
import type { TurnHints, TurnPrompt } from "../../types.ts";

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
    get text() {
      return messageText(value);
    },
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

/**
 * Looks for the prompts of a Gemini CLI transcript.
 *
 * A message may be written again under its id. What `$rewindTo` takes back was done all the same, and its turn ended
 * before that line.
 */
export const newTurnScan: Format["newTurnScan"] = (_transcript, { ownMessages = [] }) => {
  let last: string | null = null;
  return {
    mentions: ["user", "$rewindTo"],
    take: ({ value }) => {
      if (textAt(value, "$rewindTo") !== null) return { kind: "ends" };
      if (!isPrompt(value, ownMessages)) return null;
      const id = textAt(value, "id");
      if (id !== null && id === last) return null;
      last = id;
      return { kind: "opens" };
    },
  };
};

/** A search for the prompt that opened the turn, going backwards. */
export interface PromptSearch {
  /** Looks at the next message and says whether the search is over. */
  readonly take: (message: Message) => boolean;
  readonly found: () => Message | null;
}

/** How many other prompts are passed over in search of the one that the hook reported. */
const PASSED_OVER = 16;

/**
 * Searches for the prompt that the hook reported, else for the last one on a line of its own, else for the last one in a
 * repeated history.
 *
 * The reason of a denied stop looks like a prompt: only the hook knows what the human said.
 */
export function newPromptSearch({ promptText, ownMessages = [] }: TurnHints): PromptSearch {
  let reported: Message | null = null;
  let copied: Message | null = null;
  const own: Message[] = [];
  return {
    take: (message) => {
      if (promptText !== undefined && !message.isCopy && isReportedPrompt(message.value, promptText)) {
        reported = message;
      } else if (isPrompt(message.value, ownMessages)) {
        if (message.isCopy) copied ??= message;
        else own.push(message);
      }
      return reported !== null || own.length > (promptText === undefined ? 0 : PASSED_OVER);
    },
    found: () => reported ?? own[0] ?? copied,
  };
}
