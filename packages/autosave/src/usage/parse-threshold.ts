/** The threshold in force, and what is wrong with the variable, where something is. */
export interface Threshold {
  readonly percent: number;
  readonly warning: string | null;
}

/** What nonsense means. */
const FALLBACK = 40;

/** The threshold of the variable `CLAUDE_CONTEXT_THRESHOLD` over the config's; nonsense means 40, with a warning. */
export function parseThreshold(variable: string | undefined, configured: number): Threshold {
  if (variable === undefined || variable.trim() === "") return { percent: configured, warning: null };
  const text = variable.trim().replace(/%$/, "");
  const value = /^\d{1,2}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= 99) return { percent: value, warning: null };
  return {
    percent: FALLBACK,
    warning: `CLAUDE_CONTEXT_THRESHOLD should be a number from 1 to 99; found ${JSON.stringify(variable.slice(0, 40))}, so ${FALLBACK} is used`,
  };
}
