const MAX_LENGTH = 120;

/** Characters that move the cursor, hide text or reorder it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** What would end the code span, and what would open or close a tag; other angle brackets are redirections. */
const TAG_OR_BACKTICK = /`|<(?=[A-Za-z/!?])/g;

/**
 * A foreign string as data in a line of ours: between backticks, on one line, of bounded length.
 * What could end the line, the code span or a tag around the message is written as a visible escape.
 */
export function inlineCode(text: string, maxLength: number = MAX_LENGTH): string {
  const visible = shorten(text, maxLength).replaceAll(INVISIBLE, escape).replaceAll(TAG_OR_BACKTICK, escape);
  return `\`${visible}\``;
}

/** Keeps both ends: of a path the file's name, of a command its first words. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.ceil((maxLength - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(head + 1 - maxLength)}`;
}

const NAMED: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\r": String.raw`\r`, "\t": String.raw`\t` };

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return NAMED[character] ?? (code < 256 ? String.raw`\x` + digits.padStart(2, "0") : String.raw`\u{` + `${digits}}`);
}
