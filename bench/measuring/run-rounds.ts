import type { Candidate } from "../candidate.ts";

/** How rounds are run. */
export interface RoundsOptions<T> {
  readonly rounds: number;
  /** Rounds before, whose values are left out. */
  readonly warmUps: number;
  readonly measure: (candidate: Candidate) => Promise<T>;
}

/** Calls every candidate once a round, in a new order each time, so that a busy moment hits all of them. */
export async function runRounds<T>(
  candidates: readonly Candidate[],
  { rounds, warmUps, measure }: RoundsOptions<T>,
): Promise<Readonly<Record<string, readonly T[]>>> {
  const values: Record<string, T[]> = Object.fromEntries(candidates.map(({ id }) => [id, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const candidate of shuffled(candidates)) {
      const value = await measure(candidate);
      if (round >= 0) values[candidate.id]?.push(value);
    }
  }
  return values;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
