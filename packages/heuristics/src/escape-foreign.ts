/** What nearly all foreign text is: letters and signs of ASCII. */
const PLAIN = /^[ -~]*$/;

/** What would end the code span, and what would open or close a tag; other angle brackets are redirections. */
const TAG_OR_BACKTICK = /`|<(?=[A-Za-z/!?])/g;

/** Foreign text with whatever would act in a line, on a terminal or on its reading direction as a visible escape. */
export function escapeInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  // Characters that move the cursor, hide text or reorder it. Made only here: it takes longer than the rest of a message.
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, escape);
}

/** Foreign text that can stand in a code span. */
export function escapeTagsAndBackticks(text: string): string {
  return text.replaceAll(TAG_OR_BACKTICK, escape);
}

const NAMED: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\r": String.raw`\r`, "\t": String.raw`\t` };

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return NAMED[character] ?? (code < 256 ? String.raw`\x` + digits.padStart(2, "0") : String.raw`\u{` + `${digits}}`);
}
