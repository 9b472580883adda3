import { CheckpointError } from "@agent-checkpoint/handoff";

/**
 * What a phase may be called: up to 100 characters, a letter first.
 * JavaScript moves keys that are numbers to the front, and the order of the phases is the order of their keys.
 */
export const PHASE_NAME: RegExp = /^(?!(?:constructor|prototype)$)\p{L}[\p{L}\p{M}\p{N} ._:/-]{0,99}$/u;

/** The same in words. */
export const PHASE_NAME_RULE =
  "expected a phase of at most 100 letters, digits, spaces and `._:/-` that begins with a letter";

/** Refuses what cannot be a phase. */
export function checkPhaseName(phase: unknown): asserts phase is string {
  if (typeof phase === "string" && PHASE_NAME.test(phase)) return;
  throw new CheckpointError(
    "bad-name",
    `${PHASE_NAME_RULE}, found ${JSON.stringify(phase)?.slice(0, 80) ?? "nothing"}`,
  );
}
