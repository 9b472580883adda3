import { FORMATS } from "./formats/registry.ts";
import type { TranscriptQuery } from "./formats/format.ts";

/** Finds the transcript of a session in the folders where its agent keeps them, or null. */
export const findTranscript = (query: TranscriptQuery): string | null =>
  // An id becomes part of a path: nothing else may.
  /^[\w-]+$/.test(query.sessionId) ? FORMATS[query.agentName].findTranscript(query) : null;
