/** What many measurements of one thing come to. */
export interface Summary {
  readonly median: number;
  /** The first quartile. */
  readonly low: number;
  /** The third quartile. */
  readonly high: number;
}

/** Median and quartiles. */
export function summarize(values: readonly number[]): Summary {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The median over the rounds of one candidate's time by another's in the same round. */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

/** The quantile of the values for a share, with linear interpolation. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
