import { expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import { runRounds } from "./run-rounds.ts";

const CANDIDATES = ["one", "two", "three"].map((id): Candidate => ({
  id,
  label: id,
  kind: "hook",
  answer: "nothing",
  next: () => ({ measured: [] }),
}));

test("every candidate is called once a round, and what the warm-ups gave is left out", async () => {
  const called: string[] = [];
  const values = await runRounds(CANDIDATES, {
    rounds: 4,
    warmUps: 2,
    measure: async ({ id }) => called.push(id),
  });
  const inRound = Array.from({ length: 6 }, (_, round) => called.slice(round * 3, round * 3 + 3).toSorted());
  expect(inRound).toEqual(Array.from({ length: 6 }, () => ["one", "three", "two"]));
  // The value of a call is its number, so the six of the warm-ups are missing.
  expect(
    Object.values(values)
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  expect(Object.values(values).map((all) => all.length)).toEqual([4, 4, 4]);
});

test("the order changes from round to round", async () => {
  const orders = new Set<string>();
  let called: string[] = [];
  await runRounds(CANDIDATES, {
    rounds: 60,
    warmUps: 0,
    measure: async ({ id }) => {
      called.push(id);
      if (called.length === 3) {
        orders.add(called.join(" "));
        called = [];
      }
      return 1;
    },
  });
  expect(orders.size).toBeGreaterThan(1);
});
