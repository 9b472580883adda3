import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ALTERNATIVE_CONFIGS } from "./alternatives/alternatives.ts";
import { usableAlternatives } from "./alternatives/usable-alternatives.ts";
import type { Installed } from "./alternatives/rerun-with-alternatives.ts";
import type { Candidate } from "./candidate.ts";
import { candidatesOf } from "./candidates.ts";
import { checkRatios, renderCheck } from "./check-ratios.ts";
import type { ChosenCases } from "./choose-cases.ts";
import { conditions } from "./conditions.ts";
import { measure } from "./measuring/measure.ts";
import type { Options } from "./options.ts";
import { goalsInRun } from "./reporting/goals-in-run.ts";
import { ratiosOf, readRecorded, writeRecorded } from "./reporting/recorded.ts";
import { renderBuilds, renderGoals, renderRows } from "./reporting/render-report.ts";
import { type Measured, rowsOf } from "./reporting/rows.ts";
import { setStage } from "./staging/stage.ts";

/** Measures what was chosen, prints the tables and writes the figures; returns the exit code. */
export async function measureCases(options: Options, cases: ChosenCases, installed: Installed | null): Promise<number> {
  const { builds, json, task } = options;
  const say = (text: string): void => console.error(text);
  const stage = await setStage({
    places: [...cases.hook, ...cases.alternatives],
    configs: cases.alternatives.length > 0 ? ALTERNATIVE_CONFIGS : null,
    say: (what) => say(`Staging ${what}`),
  });
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      stage.remove();
      process.exit(1);
    });
  try {
    const { usable, skipped } = await usableAlternatives(cases.alternatives, installed, stage);
    for (const { id, why } of skipped) say(`Not measured: ${id}: ${why}`);
    const chosen = { ...cases, alternatives: usable };
    const candidates = await candidatesOf(chosen, { builds, folder: installed?.folder ?? "", stage });
    const measured = await measure(candidates, options, say);
    const rows = rowsOf(candidates, measured);
    console.log(`\n${renderRows(rows)}\n`);
    if (builds.length > 1) console.log(`${renderBuilds(builds, cases.hook, measured)}\n`);
    const goals = goalsInRun(chosen, builds, measured);
    for (const { name, results } of goals) console.log(`${name}${renderGoals(results)}\n`);
    const at = conditions();
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, `${JSON.stringify({ conditions: at, options, rows, goals, skipped, measured }, null, 2)}\n`);
    say(`Figures: ${json}`);
    if (task === "record") writeRecorded(ratiosOf(rows), at);
    if (task !== "check") return 0;
    const measureAgain = (some: readonly Candidate[]): Promise<Measured> => measure(some, options, say);
    const check = await checkRatios({ candidates, measured, recorded: readRecorded(), measureAgain });
    console.log(renderCheck(check));
    return check.isPassed ? 0 : 1;
  } finally {
    stage.remove();
  }
}
