import { escapeCharacter, escapeInvisible } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";

const MAX_LENGTH = 120;
/** A longer text is cut first: its middle is not shown anyway. */
const MAX_CHECKED = 8192;

/** What would end the code span, and what would open or close a tag; other angle brackets are redirections. */
const TAG_OR_BACKTICK = /`|<(?=[A-Za-z/!?])/g;

/**
 * A foreign string as data in a line of ours: between backticks, on one line, of bounded length, without its secrets.
 * What could end the line, the code span or a tag around the message is written as a visible escape.
 */
export function inlineCode(text: string, maxLength: number = MAX_LENGTH): string {
  // A truncated secret would slip past redaction.
  const clean = redact(shorten(text, MAX_CHECKED));
  return `\`${escapeInvisible(shorten(clean, maxLength)).replaceAll(TAG_OR_BACKTICK, escapeCharacter)}\``;
}

/** Keeps both ends: of a path the file's name, of a command its first words. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.ceil((maxLength - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(head + 1 - maxLength)}`;
}

/** Words from a config file in a line of ours: they may hold code spans, but no tag, no secret and nothing that acts on the line. */
export function plainWords(text: string): string {
  return escapeInvisible(redact(text)).replaceAll(/<(?=[A-Za-z/!?])/g, "‹");
}
