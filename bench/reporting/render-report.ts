import { type Build, idIn } from "../hook-cases.ts";
import type { Comparison } from "./compare.ts";
import type { GoalResult } from "./goals.ts";
import { renderTable } from "./render-table.ts";
import type { Measured, Row } from "./rows.ts";
import { pairedRatio } from "./statistics.ts";

/** The figures of all candidates. */
export function renderRows(rows: readonly Row[]): string {
  return renderTable(
    [
      "candidate",
      "id",
      "median, ms",
      "middle half, ms",
      "best, ms",
      "by floor",
      "by floor, paired",
      "processor, ms",
      "processor by floor",
      "peak, MB",
      "peak by floor",
    ],
    rows.map((row) => [
      row.label,
      row.id,
      row.ms.median,
      `${row.ms.low.toFixed(1)} to ${row.ms.high.toFixed(1)}`,
      row.bestMs,
      row.ratio,
      row.pairedRatio,
      row.cpuMs,
      row.cpuRatio,
      row.peakMb,
      row.peakRatio,
    ]),
  );
}

/** Each case with every build: its median by that of the first build in the same round. */
export function renderBuilds(
  builds: readonly Build[],
  cases: readonly { readonly id: string }[],
  { times }: Measured,
): string {
  const [first, ...others] = builds;
  return renderTable(
    ["case", ...others.map(({ name }) => `build ${name} by build ${first?.name}`)],
    cases.map(({ id }) => [
      id,
      ...others.map((build) =>
        pairedRatio(timesOf(build, id), first === undefined ? [] : timesOf(first, id)).toFixed(3),
      ),
    ]),
  );

  function timesOf(build: Build, id: string): readonly number[] {
    return times[idIn(build, id)] ?? [];
  }
}

const VERDICTS = { true: "met", false: "not met", null: "not measured" } as const;

/** Each goal with what was measured and whether it is met. */
export function renderGoals(goals: readonly GoalResult[]): string {
  return renderTable(
    ["goal", "at most", "measured", ""],
    goals.map(({ goal, most, measured, isMet }) => [goal, most, measured, VERDICTS[`${isMet}`]]),
  );
}

/** Each ratio beside the recorded one. */
export function renderComparisons(comparisons: readonly Comparison[]): string {
  return renderTable(
    ["case", "ratio of", "recorded", "measured", "change", ""],
    comparisons.map(({ id, what, recorded, measured, change, isLost }) => [
      id,
      what,
      recorded,
      measured,
      `${change > 0 ? "+" : ""}${Math.round(change * 100)} %`,
      isLost ? "lost" : "",
    ]),
  );
}
