import type { Omission } from "../manifest/manifest.ts";

/** What the confidence in a checkpoint depends on. */
export interface Grounds {
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly changedBefore: number;
}

/** What lowers it, and by how much; a checkpoint that failed its drill does not exist, so everything starts from 1. */
const DEDUCTIONS: readonly { readonly by: number; readonly holds: (grounds: Grounds) => boolean }[] = [
  { by: 0.2, holds: ({ skipped }) => skipped.length > 0 },
  { by: 0.05, holds: ({ excluded }) => excluded.length > 0 },
  { by: 0.2, holds: ({ changedBefore }) => changedBefore > 0 },
];

/** How sure one can be that a restore brings back what was meant: 1 where everything in scope was captured before anything changed. */
export function confidenceOf(grounds: Grounds): number {
  const lost = DEDUCTIONS.filter(({ holds }) => holds(grounds)).reduce((sum, { by }) => sum + by, 0);
  return Math.round((1 - lost) * 100) / 100;
}
