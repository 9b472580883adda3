import { errorCode } from "./error-code.ts";

/** Why something was not done: `refused` by rule with nothing written, or `failed` by the world around. */
export interface Trouble {
  readonly status: "refused" | "failed";
  readonly code: TroubleCode;
  /** What was wanted and what was found. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string | null;
}

/** The codes in a table: whether each is a refusal or a failure. */
export const TROUBLES = {
  "bad-input": "refused",
  "outside-root": "refused",
  "unsafe-root": "refused",
  "nothing-matched": "refused",
  "nothing-captured": "refused",
  "only-sensitive": "refused",
  "unsupported-type": "refused",
  "mixed-scope": "refused",
  "unknown-checkpoint": "refused",
  expired: "refused",
  damaged: "refused",
  "changed-by-others": "refused",
  "in-the-way": "refused",
  "not-undoable": "refused",
  "unstable-file": "refused",
  "no-space": "failed",
  "not-writable": "failed",
  locked: "failed",
  git: "failed",
  database: "failed",
  mismatch: "failed",
  io: "failed",
} as const;

export type TroubleCode = keyof typeof TROUBLES;

/** Whether a result says that what was asked for could not be meant: such a call leaves nothing behind. */
export function isBadInput(result: { readonly status: string; readonly code?: unknown }): boolean {
  return result.status === "refused" && BAD_INPUT.some((code) => code === result.code);
}

const BAD_INPUT: readonly TroubleCode[] = [
  "bad-input",
  "outside-root",
  "unsafe-root",
  "nothing-matched",
  "unsupported-type",
  "mixed-scope",
];

/** Carries a trouble up to the public function, which gives it back as a value. */
export class SafetyError extends Error {
  override readonly name = "SafetyError";
  readonly trouble: Trouble;

  constructor(code: TroubleCode, message: string, advice: string | null = null) {
    super(message);
    this.trouble = { status: TROUBLES[code], code, message, advice };
  }
}

/** The trouble behind an error of the disk; null for an error that is none of ours to explain. */
export function troubleOf(error: unknown): Trouble | null {
  if (error instanceof SafetyError) return error.trouble;
  const row = DISK_TROUBLES[errorCode(error) ?? ""];
  if (row === undefined || !(error instanceof Error)) return null;
  return new SafetyError(row.code, error.message, row.advice).trouble;
}

const DISK_TROUBLES: Readonly<Record<string, { readonly code: TroubleCode; readonly advice: string }>> = {
  ENOSPC: { code: "no-space", advice: "Make room on the disk, or narrow the scope, and try again." },
  EDQUOT: { code: "no-space", advice: "Make room in the quota, or narrow the scope, and try again." },
  EROFS: { code: "not-writable", advice: "The file system is read-only." },
  EACCES: { code: "not-writable", advice: "Check the permissions of the folder." },
  EPERM: { code: "not-writable", advice: "Check the owner and the permissions of the folder." },
  EIO: { code: "io", advice: "The disk reported an error." },
  EMFILE: { code: "io", advice: "Too many files are open in this process." },
};
