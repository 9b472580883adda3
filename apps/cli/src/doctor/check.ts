import { errorMessage } from "@agent-checkpoint/files";

/** How serious a finding is: in order, worth a look, or broken. */
export type Level = "ok" | "warn" | "fail";

/** What a check found: one sentence, and what to do about it. */
export interface Finding {
  readonly level: Level;
  readonly what: string;
  /** What to do; null if there is nothing to do. */
  readonly fix: string | null;
}

export function ok(what: string): Finding {
  return { level: "ok", what, fix: null };
}

export function warn(what: string, fix: string): Finding {
  return { level: "warn", what, fix };
}

export function fail(what: string, fix: string): Finding {
  return { level: "fail", what, fix };
}

/** What a check returns; null if it does not apply. */
export type Found = Finding | readonly Finding[] | null;

/** One row of a table of checks. */
export interface Check<Subject> {
  /** For scripts: stays the same. */
  readonly id: string;
  readonly title: string;
  readonly run: (subject: Subject) => Found | Promise<Found>;
}

/** A check that applied. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Runs the checks of a table in parallel; a check that throws becomes a finding. */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<readonly CheckResult[]> {
  const results = await Promise.all(
    checks.map(async ({ id, title, run }) => {
      const found = await (async () => run(subject))().catch((error: unknown) =>
        fail(`could not be checked: ${errorMessage(error)}`, "Report this with the words above."),
      );
      return { id, title, findings: found === null ? [] : [found].flat() };
    }),
  );
  return results.filter(({ findings }) => findings.length > 0);
}
