import { escapeInvisible } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";

/** Words from a config file in a line of ours: they may hold code spans, but no tag, no secret and nothing that acts on the line. */
export function plainWords(text: string): string {
  return escapeInvisible(redact(text)).replaceAll(/<(?=[A-Za-z/!?])/g, "‹");
}
