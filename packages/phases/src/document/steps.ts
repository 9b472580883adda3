import { type CommandName, usualPhases } from "../commands.ts";
import type { CheckpointKey } from "../names.ts";
import { CheckpointError } from "../report.ts";
import { validateContextSummary } from "../tokens/context-summary.ts";
import type { RawDocument } from "./complete-document.ts";
import type { CheckpointInput, Gate, Phase, PhaseStatus, UnifiedCheckpoint } from "./schema.ts";

/** A new phase file with all phases pending; by default the usual phases of the command. */
export function createCheckpoint(
  command: CommandName,
  phases: readonly string[] = usualPhases(command),
): CheckpointInput {
  return { command, phases: Object.fromEntries(phases.map((phase) => [phase, { status: "pending" as const }])) };
}

/** The fields of a phase file that a change to a phase reads; all others are preserved. */
interface Patchable {
  readonly phases: Readonly<Record<string, Phase>>;
  readonly completed_at?: string | null | undefined;
}

/** A change to a phase, copied from the caller. */
interface PhaseChange {
  readonly phase: string;
  readonly patch: RawDocument;
  readonly now: Date;
}

/**
 * A phase file with a phase changed, or added if it was missing.
 * A completed phase stays complete unless it is reopened: a late message must not undo it.
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

/** The error of a phase is dropped once the phase is tried again. */
function withoutOldError(before: Phase | undefined, status: unknown): Partial<Phase> {
  if (before === undefined || status === before.status) return before ?? {};
  const { error: _, ...rest } = before;
  return rest;
}

const BEGUN: readonly PhaseStatus[] = ["in_progress", "complete", "failed"];

function isBegun(status: unknown): boolean {
  return BEGUN.some((begun) => begun === status);
}

/** The fields of one run, which the next run does not take over. */
const OF_A_RUN: ReadonlySet<string> = new Set<keyof UnifiedCheckpoint>([
  "phases",
  "state",
  "gate",
  "started_at",
  "updated_at",
  "completed_at",
  "base_commit",
  "head_commit",
]);

/** The document of a new run: without phases, with the history and the foreign fields of the run before. */
export function beginRun(key: CheckpointKey, before: UnifiedCheckpoint | null): Patchable {
  const kept = Object.entries(before ?? {}).filter(([field]) => !OF_A_RUN.has(field));
  return { ...Object.fromEntries(kept), ...key, phases: {} };
}

/** Whether a change is the first of a new run: work begins, and the run before is over. */
export function isNewRun(before: UnifiedCheckpoint, patch: RawDocument): boolean {
  const isWork = patch["status"] === "in_progress" || patch["status"] === "pending";
  return typeof before.completed_at === "string" && isWork && patch["reopen"] !== true;
}

/** The phases after the command is completed; failed ones stay failed. */
const AT_THE_END: Readonly<Record<PhaseStatus, PhaseStatus>> = {
  pending: "skipped",
  in_progress: "complete",
  complete: "complete",
  failed: "failed",
  skipped: "skipped",
};

/** A checkpoint whose command is done. */
export function completeRun(checkpoint: UnifiedCheckpoint, now: Date): RawDocument {
  const time = now.toISOString();
  const ended = Object.entries(checkpoint.phases).map(([name, phase]): [string, Phase] => {
    const status = AT_THE_END[phase.status];
    return [name, status === phase.status ? phase : { ...phase, status, updated_at: time }];
  });
  return { ...checkpoint, completed_at: checkpoint.completed_at ?? time, phases: Object.fromEntries(ended) };
}

/** Where a command resumes, and the summary of the phase before. */
export interface ResumePoint {
  readonly phase: string | null;
  readonly summary: string | null;
}

/** The resume point of a command that has nothing to resume. */
export const NOWHERE: ResumePoint = { phase: null, summary: null };

/** Which status is resumed first. */
const ORDER: readonly PhaseStatus[] = ["in_progress", "failed", "pending"];

/** Where a command resumes: in its phase in progress, otherwise the first failed one, otherwise the first pending one. */
export function findResumePoint({ phases, completed_at: completed }: UnifiedCheckpoint): ResumePoint {
  if (typeof completed === "string") return NOWHERE;
  const entries = Object.entries(phases);
  const places = ORDER.map((status) => entries.findIndex(([, phase]) => phase.status === status));
  const place = places.find((index) => index >= 0) ?? entries.length;
  return {
    phase: entries[place]?.[0] ?? null,
    summary: nearestSummary(
      entries.map(([, phase]) => phase),
      place,
    ),
  };
}

/** The summary of the completed phase next to a place, of those before it rather than those after it. */
function nearestSummary(phases: readonly Phase[], place: number): string | null {
  const inOrder = [...phases.slice(0, place).toReversed(), ...phases.slice(place + 1)];
  const usable = inOrder
    .filter(({ status }) => status === "complete")
    .map(({ context_summary: summary }) => summary)
    .find((summary) => typeof summary === "string" && summary !== "" && validateContextSummary(summary).valid);
  return usable ?? null;
}

/** Whether a gate lets `/ship` continue at a commit. */
export function isShipAllowed(gate: Gate | null | undefined, head: string | null): boolean {
  if (!gate || head === null) return false;
  return gate.ship_allowed && gate.blockers.length === 0 && gate.head_commit === head;
}

/** A phase file whose gate is closed if it was set for another commit than HEAD. */
export function holdGate(checkpoint: UnifiedCheckpoint, head: string | null): UnifiedCheckpoint {
  const { gate } = checkpoint;
  if (!gate?.ship_allowed || (head !== null && gate.head_commit === head)) return checkpoint;
  const blocker = `The gate was set at ${short(gate.head_commit)} and HEAD is at ${short(head)}: look again.`;
  return { ...checkpoint, gate: { ...gate, ship_allowed: false, blockers: [...gate.blockers, blocker] } };
}

function short(commit: string | null | undefined): string {
  return commit?.slice(0, 7) ?? "no commit";
}
