import { blankInvisible } from "@agent-checkpoint/files";
import { redact } from "./redact.ts";

const MOST = 500;

/** A text on one line, without secrets or control characters and of bounded length, for a log. */
export function redactLine(text: string): string {
  // Secrets are looked for first: a line break ends one, a blank in its place need not.
  const line = blankInvisible(redact(text));
  const clean = redact(line);
  return clean.length > MOST ? `${clean.slice(0, MOST)}…` : clean;
}
