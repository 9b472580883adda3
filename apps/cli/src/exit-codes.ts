/** What the program ends with; scripts may rely on it. */
export const EXIT = {
  /** It did what was asked, and nothing is wrong. */
  ok: 0,
  /** It did what was asked, and found something that is not in order. */
  found: 1,
  /** It was called wrongly, or refused; nothing was done. */
  usage: 2,
  /** It could not: a file, the store or a program failed. */
  failed: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
