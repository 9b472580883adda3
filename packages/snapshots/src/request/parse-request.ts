import { CHECKPOINT_TYPES, type CheckpointType } from "../checkpoint-type.ts";
import { SafetyError } from "../trouble.ts";
import { isRecord } from "@agent-checkpoint/files";
import { redactLine } from "@agent-checkpoint/redaction";
import { parseExpiry } from "./parse-expiry.ts";
import { parseScope, type ScopeItem, type ScopePlace } from "./parse-scope.ts";

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
