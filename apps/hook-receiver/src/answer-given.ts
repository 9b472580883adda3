import { join } from "node:path";
import type { StopFacts } from "@agent-checkpoint/composer";
import { isRecord, readSmallText, writeWhole } from "@agent-checkpoint/files";

/**
 * The message that another hook of ours has answered this very stop with; null if none has.
 *
 * An agent that goes by its last hook's answer would take our silence for an answer, if we are registered twice.
 */
export function answerGiven({ event, place }: StopFacts): string | null {
  const given = parse(readSmallText(fileIn(place.home), MAX_BYTES));
  if (given === null || given["sessionId"] !== event.sessionId || given["occasion"] !== event.occasion) return null;
  return typeof given["message"] === "string" ? given["message"] : null;
}

/** Keeps the message of a block for the hooks of ours that are still to be asked; they are, right after this one. */
export function keepAnswer({ event, place }: StopFacts, message: string): void {
  if (place.isCanary === true) return;
  const { sessionId, occasion } = event;
  writeWhole(fileIn(place.home), JSON.stringify({ sessionId, occasion, message }), { isFlushed: false });
}

const MAX_BYTES = 1024 * 1024;

/** One file for all sessions: in the moment in which another one takes it, the answer is given once, as elsewhere. */
function fileIn(home: string): string {
  return join(home, "last-answer.json");
}

function parse(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
