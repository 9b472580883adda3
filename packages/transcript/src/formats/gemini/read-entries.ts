import type { Format, Transcript } from "../format.ts";
import {
  type Entry,
  type LineRange,
  newTally,
  READ_LIMIT,
  readEntriesBackwards,
  type Tally,
} from "../../read/backwards.ts";
import { readBlock } from "../../read/files.ts";
import { readEntriesForwards } from "../../read/forwards.ts";
import { type JsonObject, objectAt, objectsAt, parseObject, textAt } from "../../read/json.ts";

/** One message of a session, the newest first. */
export interface Message extends Entry {
  /** The message stands in a list that repeats the history, and not on a line of its own. */
  readonly isCopy: boolean;
}

/** The messages of a transcript, or why it has none. */
export type MessagesReading =
  | { readonly status: "read"; readonly messages: Iterable<Message> }
  | { readonly status: "refused"; readonly reason: "not-a-transcript" | "too-large" };

/** Reads the messages of a `.json` or `.jsonl` transcript backwards. */
export function readMessages(transcript: Transcript, tally: Tally, range: LineRange = {}): MessagesReading {
  if (transcript.path.endsWith(".jsonl")) return { status: "read", messages: replayLog(transcript, tally, range) };
  if (transcript.file.size > READ_LIMIT) return { status: "refused", reason: "too-large" };
  const { located } = prepare(transcript);
  if (located === undefined) return { status: "refused", reason: "not-a-transcript" };
  const { from = 0, to = transcript.file.size } = range;
  // The file's end is written anew after each message: the first new one begins before what was the end.
  const wanted = located.spans.filter(({ start, end }) => end > from && start < Math.min(to, transcript.file.size));
  return { status: "read", messages: parseMessages(located.json, wanted.toReversed(), tally) };
}

/** Reads a `.json` transcript and locates its messages once for all readers. */
export const prepare: Format["prepare"] = (transcript) => {
  const { path, file, located } = transcript;
  if (located !== undefined || path.endsWith(".jsonl") || file.size > READ_LIMIT) return transcript;
  const json = readBlock(file, 0, file.size);
  const spans = locateMessages(json);
  return spans === null ? transcript : { ...transcript, located: { json, spans } };
};

/** Yields the messages of a transcript, and the other entries of a log, in order. */
export const readForwards: Format["readForwards"] = (transcript, mentions) => {
  if (transcript.path.endsWith(".jsonl")) return readEntriesForwards(transcript.file, mentions);
  const { located } = transcript;
  return located === undefined ? [] : parseMessages(located.json, located.spans, newTally());
};

/** Yields the messages that start in a range, without those of a repeated history, the last first. */
export const readEntries: Format["readEntries"] = (transcript, tally, range) => {
  const reading = readMessages(transcript, tally, range);
  return reading.status === "read" ? ownMessages(reading.messages) : [];
};

function* ownMessages(messages: Iterable<Message>): Generator<Message, void, undefined> {
  for (const message of messages) if (!message.isCopy) yield message;
}

function* parseMessages(
  json: Buffer,
  spans: readonly MessageSpan[],
  tally: Tally,
): Generator<Message, void, undefined> {
  for (const { start, end } of spans) {
    const value = parseObject(json.toString("utf8", start, end));
    if (value === null) tally.skippedLines += 1;
    else yield { offset: start, value, isCopy: false };
  }
}

/**
 * Replays a `.jsonl` log backwards.
 *
 * `$set.messages` repeats or shortens the history that the model sees: the lines before it still show what was done.
 * Only `$rewindTo` takes messages back, the named one and all after it.
 */
function* replayLog({ file }: Transcript, tally: Tally, range: LineRange): Generator<Message, void, undefined> {
  const takenBack = new Set<string>();
  let rewindTo: string | null = null;
  for (const { offset, value } of readEntriesBackwards(file, tally, range)) {
    const target = textAt(value, "$rewindTo");
    if (target !== null && rewindTo === null) rewindTo = target;
    const id = isMessage(value) ? textAt(value, "id") : null;
    if (rewindTo !== null) {
      if (id !== null) takenBack.add(id);
      if (id === rewindTo) rewindTo = null;
      continue;
    }
    if (id !== null && !takenBack.has(id)) yield { offset, value, isCopy: false };
    for (const copy of objectsAt(objectAt(value, "$set") ?? {}, "messages").toReversed()) {
      if (!takenBack.has(textAt(copy, "id") ?? "")) yield { offset, value: copy, isCopy: true };
    }
  }
}

const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "warning", "error"]);

function isMessage(value: JsonObject): boolean {
  return TYPES.has(value["type"]);
}

/** The position of a message in a `.json` transcript, in bytes. */
export interface MessageSpan {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Finds the messages of a `.json` transcript without parsing it; null if it is torn or has none.
 *
 * The bytes between strings are few, so this is much faster than parsing, and it gives the position of each message.
 */
export function locateMessages(json: Buffer): readonly MessageSpan[] | null {
  const spans: MessageSpan[] = [];
  let depth = 0;
  let name = "";
  let start = 0;
  let messagesSeen = false;
  let inMessages = false;
  for (let at = json.indexOf(OPEN_OBJECT); at >= 0 && at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = stringEnd(json, at);
      if (end === -1) return null;
      if (depth === 1) name = json.toString("utf8", at + 1, end);
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth === 2 && byte === OPEN_LIST && name === "messages") {
        inMessages = true;
        messagesSeen = true;
      }
      if (depth === 3 && inMessages) start = at;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 3 && inMessages) spans.push({ start, end: at + 1 });
      if (depth === 2) inMessages = false;
      depth -= 1;
      if (depth === 0) return messagesSeen ? spans : null;
    }
  }
  return null;
}

function stringEnd(json: Buffer, open: number): number {
  let end = json.indexOf(QUOTE, open + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end;
}

function isEscaped(json: Buffer, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
