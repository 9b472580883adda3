/** The outcomes of what a checkpoint asked for, in the order of the tables. */
export const OUTCOMES = ["done", "partly", "ignored", "unknown"] as const;

/** `partly`: it was tried, but failed, hid its result, or went stale. */
export type Outcome = (typeof OUTCOMES)[number];

/** Why an outcome is unknown. */
export type UnknownWhy =
  /** The record has no transcript position: it is from an older version, or there was no transcript. */
  | "no-trail"
  | "transcript-gone"
  /** The session has not stopped since. */
  | "still-running"
  /** The turn was ended by the user or by an error. */
  | "cut-short"
  /** Today's rules would not have asked for it. */
  | "rules-changed";

/** What was asked for, and its outcome. */
export interface Answer {
  /** The id of an action, or of a check. */
  readonly rule: string;
  readonly kind: "action" | "check";
  readonly outcome: Outcome;
  /** Null if the outcome is known. */
  readonly why: UnknownWhy | null;
}
