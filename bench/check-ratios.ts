import type { Candidate } from "./candidate.ts";
import { type Comparison, compare, type Ratios } from "./reporting/compare.ts";
import { ratiosOf } from "./reporting/recorded.ts";
import { renderComparisons } from "./reporting/render-report.ts";
import { type Measured, rowsOf } from "./reporting/rows.ts";

/** What a check has to do with. */
export interface Check {
  readonly candidates: readonly Candidate[];
  readonly measured: Measured;
  readonly recorded: Ratios;
  /** Measures some of the candidates once more. */
  readonly measureAgain: (some: readonly Candidate[]) => Promise<Measured>;
}

/** The result of a check. */
export interface CheckResult {
  readonly isPassed: boolean;
  readonly comparisons: readonly Comparison[];
  readonly verdict: string;
}

/** Compares with the recorded ratios; what seems lost is measured once more before it counts. */
export async function checkRatios({ candidates, measured, recorded, measureAgain }: Check): Promise<CheckResult> {
  const first = compare(recorded, ratiosOf(rowsOf(candidates, measured)));
  if (first.length === 0)
    return { isPassed: false, comparisons: first, verdict: "Nothing that was measured is recorded: use --record." };
  const suspects = first.filter(({ isLost }) => isLost);
  if (suspects.length === 0)
    return { isPassed: true, comparisons: first, verdict: "No ratio is more than 15 % above the recorded one." };
  const again = candidates.filter(({ id }) => id === "floor" || suspects.some((suspect) => suspect.id === id));
  const second = compare(recorded, ratiosOf(rowsOf(again, await measureAgain(again))));
  const lost = second.filter((one) => one.isLost && suspects.some((suspect) => isSame(suspect, one)));
  if (lost.length === 0)
    return { isPassed: true, comparisons: second, verdict: "What seemed lost was not so the second time." };
  return { isPassed: false, comparisons: lost, verdict: "More than 15 % above the recorded ratio, twice." };
}

/** The table of a check and what it means. */
export function renderCheck({ comparisons, verdict }: CheckResult): string {
  return comparisons.length === 0 ? verdict : `${renderComparisons(comparisons)}\n\n${verdict}`;
}

function isSame(one: Comparison, other: Comparison): boolean {
  return one.id === other.id && one.what === other.what;
}
