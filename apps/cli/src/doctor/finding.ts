/** How bad a finding is: in order, worth a look, or something does not work. */
export type Level = "ok" | "warn" | "fail";

/** What a check found: one sentence, and what to do about it. */
export interface Finding {
  readonly level: Level;
  readonly what: string;
  /** What to do; null where nothing is to be done. */
  readonly fix: string | null;
}

/** In order. */
export function ok(what: string): Finding {
  return { level: "ok", what, fix: null };
}

/** Worth a look. */
export function warn(what: string, fix: string): Finding {
  return { level: "warn", what, fix };
}

/** Does not work. */
export function fail(what: string, fix: string): Finding {
  return { level: "fail", what, fix };
}
