/** Numbers of tests; a number that is neither stated nor follows from the others is undefined. */
export interface Tally {
  readonly passed?: number;
  readonly failed: number;
  readonly skipped: number;
  readonly filtered: number;
}

const WORDS = {
  passed: "pass passed passes passing ok success successes succeeded successful xpassed",
  failed:
    "fail failed fails failing failure failures error errors errored undefined ambiguous invalid fatal timeout timeouts timed",
  skipped: "skip skips skipped pending pendings omissions todo ignored disabled incomplete xfailed canceled cancelled",
  filtered: "deselected filtered excluded",
  total: "total tests test doctests doctest properties property runs run examples example specs spec cases checks",
} as const;

type Kind = keyof typeof WORDS;

const KINDS: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(WORDS) as Kind[]).flatMap((kind) => WORDS[kind].split(" ").map((word) => [word, kind] as const)),
);

const WORD = [...KINDS.keys()].join("|");
const NUMBER_AND_WORD = new RegExp(
  `(\\d+) (?:tests? |exec )?(${WORD})\\b|(?<!expected )\\b(${WORD}) ?[:=]? *(\\d+)`,
  "gi",
);

/** Reads numbers with their words, in either order: "1 failed, 2 passed", "Tests run: 3, Failures: 1", "succeeded 2". */
export function readTally(text: string): Tally {
  const sums: Partial<Record<Kind, number>> = {};
  for (const [, first, word, wordBefore, second] of text.matchAll(NUMBER_AND_WORD)) {
    const kind = KINDS.get((word ?? wordBefore ?? "").toLowerCase());
    if (kind !== undefined) sums[kind] = (sums[kind] ?? 0) + Number(first ?? second);
  }
  const { total, failed = 0, skipped = 0, filtered = 0 } = sums;
  const passed = sums.passed ?? (total === undefined ? undefined : Math.max(0, total - failed - skipped - filtered));
  return { ...(passed !== undefined && { passed }), failed, skipped, filtered };
}
