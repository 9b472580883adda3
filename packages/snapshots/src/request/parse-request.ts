import { CHECKPOINT_TYPES, type CheckpointType } from "../checkpoint-type.ts";
import { SafetyError } from "../trouble.ts";
import { isRecord } from "@agent-checkpoint/files";
import { redactLine } from "@agent-checkpoint/redaction";
import { type ScopeItem, type ScopePlace, parseScope } from "./parse-scope.ts";

/** A checkpoint as it is asked for, in the words of the contract. */
export interface CheckpointRequest {
  readonly scope: string | readonly string[];
  readonly reason?: string | undefined;
  readonly checkpoint_type?: string | undefined;
  readonly expiry?: string | null | undefined;
}

/** A request that has been understood. */
export interface ParsedRequest {
  readonly scope: readonly ScopeItem[];
  readonly reason: string;
  /** Null if the rule chooses. */
  readonly type: CheckpointType | null;
  readonly expiresAt: Date | null;
}

/** Understands a request, or refuses it before anything is written. */
export function parseRequest(request: CheckpointRequest, place: ScopePlace, now: Date): ParsedRequest {
  refuseOtherTypes(request);
  return {
    scope: parseScope(request.scope, place),
    reason: parseReason(request.reason ?? ""),
    type: parseType(request.checkpoint_type),
    expiresAt: parseExpiry(request.expiry, now),
  };
}

/** Refuses what a caller without types may hand over. */
function refuseOtherTypes(request: unknown): void {
  const { scope, reason, checkpoint_type: type, expiry } = isRecord(request) ? request : {};
  const words: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  if (!words.every((word) => typeof word === "string"))
    throw new SafetyError("bad-input", "The scope must be a string or a list of strings.");
  for (const [name, value] of Object.entries({ reason, checkpoint_type: type, expiry }))
    if (value !== undefined && value !== null && typeof value !== "string")
      throw new SafetyError("bad-input", `\`${name}\` must be a string.`);
}

/** One line without secrets, because it becomes the subject of a commit and part of lists. */
function parseReason(reason: string): string {
  if (reason.includes("\0")) throw new SafetyError("bad-input", "The reason holds a NUL character.");
  const line = redactLine(reason.replaceAll(/[\p{Cc}\s]+/gu, " ").trim());
  return line.length <= MAX_REASON_LENGTH ? line : `${line.slice(0, MAX_REASON_LENGTH - CUT.length)}${CUT}`;
}

const MAX_REASON_LENGTH = 500;
const CUT = " … (cut)";

function parseType(type: string | undefined): CheckpointType | null {
  if (type === undefined) return null;
  const known = CHECKPOINT_TYPES.find((name) => name === type);
  if (known !== undefined) return known;
  throw new SafetyError(
    "bad-input",
    `Unknown snapshot type \`${type}\`.`,
    `Choose one of ${CHECKPOINT_TYPES.join(", ")}.`,
  );
}

/** When a checkpoint expires: `24h`, `7d`, `never`, or an ISO time that is still to come; null is never. */
export function parseExpiry(expiry: string | null | undefined, now: Date): Date | null {
  const text = (expiry ?? "never").trim();
  if (text === "never") return null;
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (count !== undefined && unitMs !== undefined && Number(count) > 0)
    return new Date(now.getTime() + Number(count) * unitMs);
  if (ISO.test(text)) {
    const time = new Date(text);
    if (time > now) return time;
  }
  throw new SafetyError(
    "bad-input",
    `The expiry \`${text}\` is invalid.`,
    "Write a time to come: `24h`, `7d`, `never`, or an ISO time such as `2031-01-31T12:00:00Z`.",
  );
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 10_080 * MINUTE };
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The types that can capture each kind of item; the first one that the place allows is the default. */
const TYPES_OF: Readonly<Record<ScopeItem["kind"], readonly CheckpointType[]>> = {
  path: ["git_stash", "file_backup"],
  state: ["state_snapshot"],
  sqlite: ["database_savepoint"],
  postgres: ["database_savepoint"],
};

/** The type of a snapshot: the requested one if it fits the scope, otherwise by rule. */
export function chooseType(
  scope: readonly ScopeItem[],
  { asked, hasGit }: { readonly asked: CheckpointType | null; readonly hasGit: boolean },
): CheckpointType {
  const [first, ...others] = [...new Set(scope.map(({ kind }) => TYPES_OF[kind]))];
  if (first === undefined) throw new SafetyError("bad-input", "The scope is empty.");
  if (others.some((types) => types[0] !== first[0])) {
    throw new SafetyError("mixed-scope", "The scope mixes files, state and databases.", "Make one checkpoint of each.");
  }
  const possible = first.filter((type) => type !== "git_stash" || hasGit);
  const [chosen] = asked === null ? possible : possible.filter((type) => type === asked);
  if (chosen !== undefined) return chosen;
  if (asked === "git_stash" && first.includes("git_stash")) {
    throw new SafetyError(
      "bad-input",
      "`git_stash` needs a git work tree, and there is none here.",
      "Use file_backup.",
    );
  }
  throw new SafetyError("bad-input", `\`${asked}\` cannot keep this scope.`, `It is kept by ${first.join(" or ")}.`);
}
