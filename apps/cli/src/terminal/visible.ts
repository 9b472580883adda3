import { redact } from "@agent-checkpoint/redaction";

/** Characters that move the cursor, hide text or reorder it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** A foreign string for a line on a terminal: without its secrets, and whatever would act there as a visible escape. */
export function visible(text: string): string {
  return redact(text).replaceAll(INVISIBLE, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length <= 2 ? String.raw`\x` + digits.padStart(2, "0") : String.raw`\u{` + `${digits}}`;
  });
}
