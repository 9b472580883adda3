/** Numbers of tests; what a runner does not state is undefined. */
export interface Counts {
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly filtered?: number;
}

const WORDS: ReadonlyMap<string, keyof Counts | "total"> = new Map([
  ..."pass passed passing ok success successes succeeded successful xpassed flaky"
    .split(" ")
    .map((word) => [word, "passed"] as const),
  ..."fail fails failed failing failure failures error errors errored ko undefined ambiguous invalid fatal timeouts"
    .split(" ")
    .map((word) => [word, "failed"] as const),
  ..."skip skips skipped pending pendings omissions todo ignored disabled incomplete xfailed canceled cancelled"
    .split(" ")
    .map((word) => [word, "skipped"] as const),
  ..."deselected filtered excluded".split(" ").map((word) => [word, "filtered"] as const),
  ..."total tests test runs run examples example specs spec cases checks"
    .split(" ")
    .map((word) => [word, "total"] as const),
]);

const NUMBER_AND_WORD = /(\d+) (?:tests? |expected |known )?([A-Za-z]+)|([A-Za-z]+) ?[:=]? *(\d+)/g;

/** Reads numbers with their words, in either order: "1 failed, 2 passed", "Tests run: 3, Failures: 1", "succeeded 2". */
export function readTally(text: string): Counts {
  const sums: Partial<Record<keyof Counts | "total", number>> = {};
  for (const [, first, word, wordBefore, second] of text.matchAll(NUMBER_AND_WORD)) {
    const kind = WORDS.get((word ?? wordBefore ?? "").toLowerCase());
    if (kind !== undefined) sums[kind] = (sums[kind] ?? 0) + Number(first ?? second);
  }
  const { total, failed = 0, skipped = 0, filtered = 0 } = sums;
  const passed = sums.passed ?? Math.max(0, (total ?? 0) - failed - skipped);
  return { passed, failed, skipped, filtered };
}
