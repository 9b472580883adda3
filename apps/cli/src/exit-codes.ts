/** The exit codes of the program; scripts may rely on them. */
export const EXIT = {
  /** Done, and nothing is wrong. */
  ok: 0,
  /** Done, with findings. */
  found: 1,
  /** Invalid call, or refused; nothing was done. */
  usage: 2,
  /** A file, the store or a program failed. */
  failed: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
