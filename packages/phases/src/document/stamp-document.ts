import { isRecord } from "@agent-checkpoint/files";
import * as v from "valibot";
import { describeIssues } from "../given-values.ts";
import type { CheckpointKey } from "../names.ts";
import { CheckpointError } from "../report.ts";
import { validateContextSummary } from "../tokens/context-summary.ts";
import { completeDocument, type RawDocument } from "./complete-document.ts";
import { CheckpointSchema, type PhaseEvent, type UnifiedCheckpoint } from "./schema.ts";

/** What a save knows beside the document. */
interface Stamp {
  readonly key: CheckpointKey;
  readonly now: Date;
  /** The current HEAD commit; null if there is none. */
  readonly head: string | null;
}

/** A document ready to be written: stamped, with its state derived, and every field and summary validated. */
export function stampDocument(
  before: UnifiedCheckpoint | null,
  draft: RawDocument,
  { key, now, head }: Stamp,
): UnifiedCheckpoint {
  const at = now.toISOString();
  const commit = head ?? draft["head_commit"] ?? null;
  const drafted = completeDocument(
    {
      ...draft,
      revision: revisionAfter(before, draft),
      head_commit: commit,
      base_commit: draft["base_commit"] ?? commit,
      started_at: draft["started_at"] ?? at,
      updated_at: at,
      events: draft["events"] ?? before?.events ?? [],
    },
    key,
    now,
  );
  const { events, ...checkpoint } = checkedOrThrow(drafted);
  const steps = eventsBetween(before, checkpoint, { at, head_commit: checkpoint.head_commit });
  const stamped = { ...checkpoint, events: [...events, ...steps].slice(-MAX_EVENTS) };
  const summaries = checkSummaries(stamped);
  if (summaries.length > 0) throw new CheckpointError("too-long", summaries.join("; "));
  return stamped;
}

/** A deleted file does not reset the count, otherwise two different states would have the same number. */
function revisionAfter(before: UnifiedCheckpoint | null, draft: RawDocument): number {
  const { revision } = draft;
  return Math.max(before?.revision ?? 0, typeof revision === "number" ? revision : 0) + 1;
}

function checkedOrThrow(document: RawDocument): UnifiedCheckpoint {
  const checked = checkDocument(document);
  if (checked.ok) return checked.checkpoint;
  throw new CheckpointError("invalid", checked.problems.join("; "));
}

/** A valid phase file, or why the document is not one. */
type Checked =
  | { readonly ok: true; readonly checkpoint: UnifiedCheckpoint }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Validates a document and returns it unchanged, including fields that the schema does not name. */
export function checkDocument(document: RawDocument): Checked {
  const problems = [...wrongObjects(document), ...forbiddenPhases(document["phases"])];
  if (problems.length > 0) return { ok: false, problems };
  const result = v.safeParse(CheckpointSchema, document, { abortPipeEarly: true });
  if (!result.success) return { ok: false, problems: describeIssues(result.issues) };
  // The schema's output lacks keys such as `__proto__`; the validated document has them all.
  return { ok: true, checkpoint: document as RawDocument & UnifiedCheckpoint };
}

/** What is wrong with the summaries of a checkpoint, each with its phase. */
function checkSummaries({ phases }: UnifiedCheckpoint): string[] {
  return Object.entries(phases).flatMap(([name, { context_summary: summary }]) => {
    if (summary === undefined || summary === null) return [];
    const { error } = validateContextSummary(summary);
    return error === undefined ? [] : [`phase \`${name}\`: ${error}`];
  });
}

/** The schema accepts a list as an object, which would lose its keys in the file. */
function wrongObjects(document: RawDocument): string[] {
  const { state, phases, gate } = document;
  const entries = isRecord(phases)
    ? Object.entries(phases).map(([name, phase]) => [`phases.${name}`, phase] as const)
    : [];
  return [["state", state] as const, ["phases", phases] as const, ["gate", gate] as const, ...entries]
    .filter(([, value]) => Array.isArray(value))
    .map(([key]) => `\`${key}\`: expected Object, found a list`);
}

/** The schema ignores keys that could change the prototype; as a phase they are refused. */
function forbiddenPhases(phases: unknown): string[] {
  const names = ["__proto__", "constructor", "prototype"];
  return names
    .filter((name) => isRecord(phases) && Object.hasOwn(phases, name))
    .map((name) => `\`phases\`: \`${name}\` cannot be a phase`);
}

/** What of a checkpoint its events are made from. */
type Seen = Pick<UnifiedCheckpoint, "phases" | "started_at" | "completed_at">;

/** The maximum number of events in a phase file; older ones are in the history of the store. */
const MAX_EVENTS = 100;

/** The steps that lead from one state of a checkpoint to the next. */
function eventsBetween(before: Seen | null, after: Seen, stamp: Pick<PhaseEvent, "at" | "head_commit">): PhaseEvent[] {
  const isSameRun = before !== null && before.started_at === after.started_at;
  const known = isSameRun ? before.phases : {};
  const steps = Object.entries(after.phases)
    .filter(([name, { status }]) => status !== (Object.hasOwn(known, name) ? known[name]?.status : "pending"))
    .map(([phase, { status }]) => ({ phase, status }));
  const isEnded = typeof after.completed_at === "string" && !(isSameRun && typeof before.completed_at === "string");
  return [
    ...(isSameRun ? [] : [{ phase: null, status: "in_progress" as const }]),
    ...steps,
    ...(isEnded ? [{ phase: null, status: "complete" as const }] : []),
  ].map((step) => ({ at: stamp.at, ...step, head_commit: stamp.head_commit }));
}
