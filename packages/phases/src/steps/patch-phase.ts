import { CheckpointError } from "@agent-checkpoint/handoff";
import type { RawDocument } from "../document/migrations.ts";
import type { Phase, PhaseStatus } from "../document/types.ts";

/** What of a checkpoint a change to a phase looks at; all else is kept. */
export interface Patchable {
  readonly phases: Readonly<Record<string, Phase>>;
  readonly completed_at?: string | null | undefined;
}

/** A change to a phase, copied from the caller. */
export interface PhaseChange {
  readonly phase: string;
  readonly patch: RawDocument;
  readonly now: Date;
}

/**
 * A checkpoint with a phase changed, and added where there was none.
 * A completed phase stays so unless it is reopened: what comes late must not undo it.
 */
export function patchPhase(checkpoint: Patchable, { phase, patch, now }: PhaseChange): RawDocument {
  const { reopen, ...fields } = patch;
  const before = Object.hasOwn(checkpoint.phases, phase) ? checkpoint.phases[phase] : undefined;
  const { status = before?.status ?? "pending" } = fields;
  if (before?.status === "complete" && status !== "complete" && reopen !== true)
    throw new CheckpointError(
      "bad-step",
      `phase \`${phase}\` is complete; only with \`reopen\` does it become ${JSON.stringify(status)}`,
    );
  const time = now.toISOString();
  const after = {
    ...withoutOldError(before, status),
    ...fields,
    status,
    ...(isBegun(status) && { started_at: fields["started_at"] ?? before?.started_at ?? time }),
    updated_at: time,
  };
  const { completed_at: completed, ...open } = checkpoint;
  const isOver = typeof completed === "string" && reopen !== true;
  return { ...(isOver ? checkpoint : open), phases: { ...checkpoint.phases, [phase]: after } };
}

/** Why a phase failed is of no interest once it is tried again. */
function withoutOldError(before: Phase | undefined, status: unknown): Partial<Phase> {
  if (before === undefined || status === before.status) return before ?? {};
  const { error: _, ...rest } = before;
  return rest;
}

const BEGUN: readonly PhaseStatus[] = ["in_progress", "complete", "failed"];

function isBegun(status: unknown): boolean {
  return BEGUN.some((begun) => begun === status);
}
