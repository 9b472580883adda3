/** The percentile of the numbers for a share, by nearest rank; null without numbers. */
export function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
