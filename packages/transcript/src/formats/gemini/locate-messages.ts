/** Where a message lies in a `.json` transcript, in bytes. */
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
 * Finds the messages of a `.json` transcript without parsing it, or null where it is torn or has none.
 *
 * The bytes between strings are few, so this is much faster than parsing, and it tells where each message lies.
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
