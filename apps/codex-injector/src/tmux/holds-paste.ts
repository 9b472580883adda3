import { PASTED_CONTENT } from "./codex-screen.ts";

/**
 * Whether a composer shows a message and nothing else.
 * A long one is shown as its length, a tall one by its end; blanks and signs are left out of the comparison, since a
 * screen wraps lines and draws tabs and wide characters its own way.
 */
export function holdsPaste(composerText: string, message: string): boolean {
  const [, length] = PASTED_CONTENT.exec(composerText.trim()) ?? [];
  if (length !== undefined) return Number(length) === Array.from(message).length;
  const [shown, meant] = [lettersOf(composerText), lettersOf(message)];
  return shown !== "" && (shown === meant || (shown.length >= ENOUGH_LETTERS && meant.endsWith(shown)));
}

/** Fewer could be the end of a message by chance. */
const ENOUGH_LETTERS = 20;

function lettersOf(text: string): string {
  return text.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
}
