import { createScanner } from "jsonc-parser";

/** Ten times what a config ever needs. */
export const MAX_LEVELS = 50;

/** Whether a JSON text has so many brackets in one another that the parser, which calls itself for each, gets lost. */
export function isNestedTooDeeply(text: string): boolean {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    // A token is known by its first character: brackets in a text or a comment begin none.
    const sign = text[scanner.getTokenOffset()];
    if (sign === "{" || sign === "[") level += 1;
    if (sign === "}" || sign === "]") level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}
