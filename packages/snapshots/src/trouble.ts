import { errorCode } from "@agent-checkpoint/files";

/** Why something was not done: `refused` by rule with nothing written, or `failed` by the world around. */
export interface Trouble {
  readonly status: "refused" | "failed";
  readonly code: TroubleCode;
  /** What was wanted and what was found. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string | null;
}

/** The codes in a table: whether each is a refusal or a failure, and whether the request itself was invalid. */
const TROUBLES = {
  "bad-input": { status: "refused", isBadInput: true },
  "outside-root": { status: "refused", isBadInput: true },
  "unsafe-root": { status: "refused", isBadInput: true },
  "nothing-matched": { status: "refused", isBadInput: true },
  "mixed-scope": { status: "refused", isBadInput: true },
  "nothing-captured": { status: "refused", isBadInput: false },
  "only-sensitive": { status: "refused", isBadInput: false },
  "unknown-checkpoint": { status: "refused", isBadInput: false },
  expired: { status: "refused", isBadInput: false },
  damaged: { status: "refused", isBadInput: false },
  "changed-by-others": { status: "refused", isBadInput: false },
  "in-the-way": { status: "refused", isBadInput: false },
  "not-undoable": { status: "refused", isBadInput: false },
  "unstable-file": { status: "refused", isBadInput: false },
  "no-space": { status: "failed", isBadInput: false },
  "not-writable": { status: "failed", isBadInput: false },
  locked: { status: "failed", isBadInput: false },
  git: { status: "failed", isBadInput: false },
  database: { status: "failed", isBadInput: false },
  mismatch: { status: "failed", isBadInput: false },
  io: { status: "failed", isBadInput: false },
} as const;

export type TroubleCode = keyof typeof TROUBLES;

/** Carries a trouble up to the public function, which gives it back as a value. */
export class SafetyError extends Error {
  override readonly name = "SafetyError";
  readonly trouble: Trouble;

  constructor(code: TroubleCode, message: string, advice: string | null = null) {
    super(message);
    this.trouble = { status: TROUBLES[code].status, code, message, advice };
  }
}

/** Whether the request was invalid: such a call leaves nothing behind. */
export function isBadInput(result: { readonly status: string } | Trouble): boolean {
  return "code" in result && TROUBLES[result.code].isBadInput;
}

/** The trouble behind an error; an error that is none of ours to explain is thrown on. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof SafetyError) return error.trouble;
  const row = DISK_TROUBLES[errorCode(error) ?? ""];
  if (row === undefined || !(error instanceof Error)) throw error;
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

/** What a caller without types may hand over wrongly; `?` may be missing or null. */
export type Shape = Readonly<Record<string, TypeName | `${TypeName}?`>>;

/** `strings` is a list of strings or a single one. */
type TypeName = "string" | "strings" | "list" | "boolean" | "number" | "function" | "object";

/** Refuses an object whose values are not of the types that stand with their names. */
export function refuseOtherTypes(what: string, value: unknown, shape: Shape): void {
  if (typeof value !== "object" || value === null) throw new SafetyError("bad-input", `The ${what} must be an object.`);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [name, type] of Object.entries(shape)) {
    const field = fields[name];
    const isMissing = (field === undefined || field === null) && type.endsWith("?");
    const [bare = ""] = type.split("?");
    const isList = Array.isArray(field) && field.every((word) => typeof word === "string");
    const isStrings = bare === "strings" || bare === "list";
    if (isMissing || (isStrings && isList) || (bare === "strings" && typeof field === "string")) continue;
    if (!isStrings && typeof field === bare) continue;
    const wanted = { strings: "a string or a list of strings", list: "a list of strings", object: "an object" }[bare];
    throw new SafetyError("bad-input", `\`${name}\` must be ${wanted ?? `a ${bare}`}.`);
  }
}
