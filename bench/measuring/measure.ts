import type { Candidate } from "../candidate.ts";
import type { Measured } from "../reporting/rows.ts";
import { runRounds } from "./run-rounds.ts";
import { canTakePeak, takePeak } from "./take-peak.ts";
import { takeTime } from "./take-time.ts";

/** The first calls find cold caches. */
const WARM_UPS = 3;

/** How often everything is called. */
export interface RoundCounts {
  readonly rounds: number;
  readonly memoryRounds: number;
}

/** Times first; memory in rounds of its own, since looking at it takes a processor. */
export async function measure(
  candidates: readonly Candidate[],
  { rounds, memoryRounds }: RoundCounts,
  say: (text: string) => void,
): Promise<Measured> {
  say(`Measuring ${candidates.length} candidates in ${rounds} rounds`);
  const took = await runRounds(candidates, { rounds, warmUps: WARM_UPS, measure: takeTime });
  const times = each(took, (all) => all.map(({ ms }) => ms));
  const cpu = each(took, (all) => all.flatMap(({ cpuMs }) => cpuMs ?? []));
  if (!canTakePeak() || memoryRounds === 0) return { times, cpu, peaks: {} };
  say(`Looking at memory in ${memoryRounds} rounds`);
  // Git is gone before it can be looked at.
  const lasting = candidates.filter(({ kind }) => kind !== "git");
  const peaks = await runRounds(lasting, { rounds: memoryRounds, warmUps: 0, measure: takePeak });
  return { times, cpu, peaks };
}

function each<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value)]));
}
