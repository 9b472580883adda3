/** What earlier stops of a session found out, for telling its own changes from others. */
export interface SessionKnowledge {
  /** Files that its calls are known to have written, relative to the root. */
  readonly touchedFiles: readonly string[];
  /** How far into the transcript those calls were read. */
  readonly readUpTo: number | null;
  /** The files that were dirty at its first prompt, each with a signature of its state. */
  readonly baseline: Readonly<Record<string, string>> | null;
  readonly lastStopAt: Date | null;
}

/** A session of which nothing is known. */
export const UNKNOWN_SESSION: SessionKnowledge = { touchedFiles: [], readUpTo: null, baseline: null, lastStopAt: null };
