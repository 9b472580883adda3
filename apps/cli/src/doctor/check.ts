import type { Finding } from "./finding.ts";

/** One thing that is looked at. */
export interface Check<Subject> {
  /** For scripts: stays the same. */
  readonly id: string;
  readonly title: string;
  /** What was found; nothing where the check does not apply. */
  readonly run: (subject: Subject) => readonly Finding[] | Promise<readonly Finding[]>;
}

/** A check that was made. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Makes the checks of a table, all at once; one that cannot be made is itself a finding. */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<readonly CheckResult[]> {
  const results = await Promise.all(
    checks.map(async ({ id, title, run }) => ({ id, title, findings: await findingsOf(run, subject) })),
  );
  return results.filter(({ findings }) => findings.length > 0);
}

async function findingsOf<Subject>(run: Check<Subject>["run"], subject: Subject): Promise<readonly Finding[]> {
  try {
    return await run(subject);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ level: "fail", what: `could not be checked: ${detail}`, fix: "Report this with the words above." }];
  }
}
