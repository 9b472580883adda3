import type { RunnerId } from "../runners.ts";

/**
 * A line, perhaps one of several, with which a runner ends its run.
 *
 * The pattern matches the whole line. Its groups are what the line states: `tally` holds numbers with their words ("2 passed,
 * 1 failed"), `units` the same of files or suites, of which only failures matter, and `place` names what was tested;
 * `passed`, `failed`, `skipped`, `filtered` and `total` are numbers.
 */
export interface SummaryLine {
  readonly runner: RunnerId;
  readonly pattern: RegExp;
  /** The outcome of a line without numbers; red overrides all numbers. */
  readonly outcome: Outcome | null;
  /** What the line counts as one. */
  readonly one: Count | null;
  /** Whether the numbers are a share of the whole and are added up; otherwise a number replaces an earlier one. */
  readonly isShare: boolean;
  /** Whether the line closes the report. */
  readonly isEnd: boolean;
  /** What an earlier line must have left for this one to mean anything: an open report, or any report. */
  readonly after: "open-report" | "any-report" | null;
}

export type Outcome = "green" | "red" | "nothing-run";
export type Count = "passed" | "failed" | "skipped" | "filtered";

const PART = { outcome: null, one: null, isShare: false, isEnd: false, after: null } as const;

/** A part of a summary, which opens the report if it is the first. */
export function opens(runner: RunnerId, pattern: RegExp, outcome: Outcome | null = null): SummaryLine {
  return { ...PART, runner, pattern, outcome };
}

/** A further part, which means nothing outside of an open report. */
export function follows(runner: RunnerId, pattern: RegExp, outcome: Outcome | null = null): SummaryLine {
  return { ...PART, runner, pattern, outcome, after: "open-report" };
}

/** A part that states the numbers of one package, suite or target, or counts one of them. */
export function adds(runner: RunnerId, pattern: RegExp, one: Count | null = null): SummaryLine {
  return { ...PART, runner, pattern, one, isShare: true };
}

/** The last line, which means something by itself. */
export function states(runner: RunnerId, pattern: RegExp, outcome: Outcome | null = null): SummaryLine {
  return { ...PART, runner, pattern, outcome, isEnd: true };
}

/** The last line, which means nothing outside of an open report. */
export function closes(runner: RunnerId, pattern: RegExp, outcome: Outcome | null = null): SummaryLine {
  return { ...PART, runner, pattern, outcome, isEnd: true, after: "open-report" };
}

/** A line below the summary that makes the report red. */
export function blames(runner: RunnerId, pattern: RegExp): SummaryLine {
  return { ...PART, runner, pattern, outcome: "red", after: "any-report" };
}
