import { CHECKPOINT_TYPES, type CheckpointType } from "../checkpoint-type.ts";
import { SafetyError } from "../trouble.ts";
import { redact } from "../workspace/redact.ts";
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
  /** Null where the rule chooses. */
  readonly type: CheckpointType | null;
  readonly expiresAt: Date | null;
}

/** Understands a request, or refuses it before anything is written. */
export function parseRequest(request: CheckpointRequest, place: ScopePlace, now: Date): ParsedRequest {
  return {
    scope: parseScope(request.scope, place),
    reason: parseReason(request.reason ?? ""),
    type: parseType(request.checkpoint_type),
    expiresAt: parseExpiry(request.expiry, now),
  };
}

/** One line without secrets, because it becomes the subject of a commit and part of lists. */
function parseReason(reason: string): string {
  if (reason.includes("\0")) throw new SafetyError("bad-input", "The reason holds a NUL character.");
  const line = redact(reason.replaceAll(/[\p{Cc}\s]+/gu, " ").trim());
  if (line.length > MOST_REASON)
    throw new SafetyError("bad-input", `The reason is longer than ${MOST_REASON} characters.`);
  return line;
}

const MOST_REASON = 500;

function parseType(type: string | undefined): CheckpointType | null {
  if (type === undefined) return null;
  const known = CHECKPOINT_TYPES.find((name) => name === type);
  if (known !== undefined) return known;
  throw new SafetyError(
    "bad-input",
    `There is no checkpoint type \`${type}\`.`,
    `Choose one of ${CHECKPOINT_TYPES.join(", ")}.`,
  );
}
