import { rmSync } from "node:fs";
import { join } from "node:path";
import { appendLine, readSmallText } from "@agent-checkpoint/files";
import { redactJson } from "@agent-checkpoint/redaction";
import type { AgentName } from "@agent-checkpoint/transcript";

/** Which session of which agent. */
export interface SessionKey {
  readonly agent: AgentName;
  readonly sessionId: string;
}

/** The sessions whose first prompt was noted, one line each: what the database knows as well, without opening it. */
export const PROMPTED_FILE = "prompted-sessions";
/** More than a thousand sessions; then it begins anew, and sessions that go on count as new once more. */
const MOST_BYTES = 64 * 1024;

/** Whether a session's first prompt was noted before; false also where that cannot be told. */
export function wasPrompted(home: string, session: SessionKey): boolean {
  return readSmallText(join(home, PROMPTED_FILE), MOST_BYTES)?.includes(lineOf(session)) === true;
}

/** Remembers that a session's first prompt was noted; one that cannot be remembered counts as new again. */
export function rememberPrompted(home: string, session: SessionKey): void {
  const path = join(home, PROMPTED_FILE);
  try {
    const { size } = appendLine(path, lineOf(session));
    if (size > MOST_BYTES) rmSync(path, { force: true });
  } catch {
    // A full disk, or something else in the file's place.
  }
}

/** With a newline in front, which ends a line that a full disk has cut short. */
function lineOf({ agent, sessionId }: SessionKey): string {
  return `\n${JSON.stringify(redactJson([agent, sessionId]))}\n`;
}
