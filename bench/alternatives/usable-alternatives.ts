import { takeTime } from "../measuring/take-time.ts";
import type { Stage } from "../staging/stage.ts";
import { alternativeCandidate, type AlternativeCase } from "./alternative-candidates.ts";
import type { Skipped } from "./install-alternatives.ts";
import type { Installed } from "./rerun-with-alternatives.ts";

/** The alternatives that answer as expected here, and why the others are left out. */
export async function usableAlternatives(
  cases: readonly AlternativeCase[],
  installed: Installed | null,
  stage: Stage,
): Promise<{ readonly usable: readonly AlternativeCase[]; readonly skipped: readonly Skipped[] }> {
  const usable: AlternativeCase[] = [];
  const skipped: Skipped[] = [];
  for (const one of cases) {
    const why = await whyNot(one);
    if (why === null) usable.push(one);
    else skipped.push({ id: one.id, why });
  }
  return { usable, skipped };

  async function whyNot(one: AlternativeCase): Promise<string | null> {
    const { id, mayCallModel } = one.alternative;
    if (installed === null) return "it is not installed";
    if (mayCallModel && !installed.isOffline)
      return "it may call a model, and the network cannot be taken from it here";
    const known = installed.skipped.find((other) => other.id === id);
    if (known !== undefined) return known.why;
    try {
      await takeTime(alternativeCandidate(one, installed.folder, stage));
      return null;
    } catch (error) {
      return String(error);
    }
  }
}
