import { isRecord } from "@agent-checkpoint/files";
import type { CheckpointKey } from "../names.ts";
import type { CheckpointState, Phase } from "./schema.ts";

/** A document with all fields that it may leave out, and a state that agrees with its phases. */
export function completeDocument(document: RawDocument, key: CheckpointKey, now: Date): RawDocument {
  const { phases = {}, state = {}, updated_at: updated, started_at: started, head_commit: head = null } = document;
  const adopted = isRecord(phases) ? mapValues(adoptPhases(phases, state), withStatus) : phases;
  const time = updated ?? started ?? now.toISOString();
  return {
    ...document,
    command: document["command"] ?? key.command,
    feature: document["feature"] ?? key.feature,
    version: document["version"] ?? 1,
    revision: document["revision"] ?? 0,
    head_commit: head,
    base_commit: document["base_commit"] === undefined ? head : document["base_commit"],
    started_at: started ?? time,
    updated_at: time,
    state: isRecord(state) && isRecord(adopted) ? { ...state, ...deriveState(phasesIn(adopted)) } : state,
    phases: adopted,
    events: document["events"] ?? [],
  };
}

function withStatus(phase: unknown): unknown {
  return isRecord(phase) && phase["status"] === undefined ? { ...phase, status: "pending" } : phase;
}

/** The entries that look like phases; the schema reports the others. */
function phasesIn(phases: Record<string, unknown>): Record<string, Phase> {
  return Object.fromEntries(Object.entries(phases).filter((entry): entry is [string, Phase] => isRecord(entry[1])));
}

function mapValues(record: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/**
 * The phases with those that only the state's lists name.
 * Another program may list a phase that has no entry yet; without an entry it would be lost.
 */
function adoptPhases(phases: Record<string, unknown>, state: unknown): Record<string, unknown> {
  if (!isRecord(state)) return phases;
  const listed = [
    ...namesIn(state["completed_phases"], "complete"),
    ...namesIn([state["current_phase"]], "in_progress"),
    ...namesIn(state["pending_phases"], "pending"),
  ];
  const missing = listed.filter(([name]) => !Object.hasOwn(phases, name));
  if (missing.length === 0) return phases;
  const adopted = listed.map(([name, phase]): [string, unknown] => [
    name,
    Object.hasOwn(phases, name) ? phases[name] : phase,
  ]);
  return { ...Object.fromEntries(adopted), ...phases };
}

function namesIn(list: unknown, status: string): [string, unknown][] {
  const names = Array.isArray(list) ? list : [];
  return names.filter((name) => typeof name === "string").map((name) => [name, { status }]);
}

/** The state of a command, derived from its phases. */
function deriveState(phases: Readonly<Record<string, Phase>>): CheckpointState {
  const named = (status: Phase["status"]) => Object.keys(phases).filter((name) => phases[name]?.status === status);
  return {
    current_phase: named("in_progress")[0] ?? null,
    completed_phases: named("complete"),
    pending_phases: named("pending"),
  };
}

/** A document as it was read, before its shape is known. */
export type RawDocument = Readonly<Record<string, unknown>>;
