/** The report's words for reasons and for how turns end. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    interrupted: "interrupted by the user",
    failed: "ended by an error of the API",
    unfinished: "not finished",
    timer: "too soon after the prompt",
    "capture-only": "no code changed",
    "all-clear": "everything expected was done",
    observations: "only observations, which these rules do not block for",
    "missing-actions": "an action was missing",
    "unresolved-failures": "a failed command was left open",
    question: "it ended with a question to the user",
    "told-not-to": "its prompt wanted no tests to be run",
    unchanged: "nothing changed since the last stop",
    missing: "is not there",
    unreadable: "cannot be read",
    "not-a-transcript": "is not a transcript of a known agent",
    "too-large": "is too large to be read whole",
    empty: "is empty",
  }),
);

/** The words for a reason, or the reason itself. */
export function inWords(reason: string): string {
  return WORDS.get(reason) ?? reason;
}

/** The moment of an example to the minute, in UTC. */
export function moment(at: string | null): string {
  return at === null ? "no time" : at.slice(0, 16).replace("T", " ");
}
