import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { HookEvent } from "@agent-checkpoint/agents/wire";

/** An event whose transcript is a link out of its folder counts as one without a transcript: nothing else is read in its place. */
export function confineTranscript(event: HookEvent): HookEvent {
  if (!("transcriptPath" in event) || event.transcriptPath === null || !leadsOut(event.transcriptPath)) return event;
  return { ...event, transcriptPath: null };
}

function leadsOut(path: string): boolean {
  try {
    // At a session's first prompt there is none yet, which is no error worth making.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
    return !realpathSync(path).startsWith(`${realpathSync(dirname(path))}${sep}`);
  } catch {
    // Whoever reads it says why it cannot be read.
    return false;
  }
}
