/** What is wrong with a config file: where, what was expected and what was found. */
export interface ConfigProblem {
  readonly file: string;
  /** The key, dotted: `categories[0].include`; empty for the file as a whole. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
}

/** A problem in one sentence. */
export function describeProblem({ file, key, expected, found }: ConfigProblem): string {
  return `${file}: ${key === "" ? "" : `\`${key}\`: `}expected ${expected}, found ${found}.`;
}
