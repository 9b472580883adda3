import { describeIssues, isRecord, validateContextSummary } from "@agent-checkpoint/handoff";
import * as v from "valibot";
import type { RawDocument } from "./migrations.ts";
import { CheckpointSchema } from "./schema.ts";
import type { UnifiedCheckpoint } from "./types.ts";

/** A document that is a checkpoint, or what keeps it from being one. */
export type Checked =
  | { readonly ok: true; readonly checkpoint: UnifiedCheckpoint }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Holds a document against the schema and gives it back as it is, with all the fields that the schema does not name. */
export function checkDocument(document: RawDocument): Checked {
  const problems = [...wrongObjects(document), ...forbiddenPhases(document["phases"])];
  if (problems.length > 0) return { ok: false, problems };
  const result = v.safeParse(CheckpointSchema, document, { abortPipeEarly: true });
  if (!result.success) return { ok: false, problems: describeIssues(result.issues) };
  // The schema's own output lacks the keys that it is careful with; the document has been looked at and is whole.
  return { ok: true, checkpoint: document as RawDocument & UnifiedCheckpoint };
}

/** What is wrong with the summaries of a checkpoint, each with its phase. */
export function checkSummaries({ phases }: UnifiedCheckpoint): string[] {
  return Object.entries(phases).flatMap(([name, { context_summary: summary }]) => {
    if (summary === undefined || summary === null) return [];
    const { error } = validateContextSummary(summary);
    return error === undefined ? [] : [`phase \`${name}\`: ${error}`];
  });
}

/** A list passes for an object in the schema, and would lose its keys in the file. */
function wrongObjects(document: RawDocument): string[] {
  const { state, phases, gate } = document;
  const entries = isRecord(phases)
    ? Object.entries(phases).map(([name, phase]) => [`phases.${name}`, phase] as const)
    : [];
  return [["state", state] as const, ["phases", phases] as const, ["gate", gate] as const, ...entries]
    .filter(([, value]) => Array.isArray(value))
    .map(([key]) => `\`${key}\`: expected Object, found a list`);
}

/** The schema passes over keys that could change the prototype; as a phase they are refused. */
function forbiddenPhases(phases: unknown): string[] {
  const names = ["__proto__", "constructor", "prototype"];
  return names
    .filter((name) => isRecord(phases) && Object.hasOwn(phases, name))
    .map((name) => `\`phases\`: \`${name}\` cannot be a phase`);
}
