import { isRecord } from "@agent-checkpoint/handoff";
import type { CheckpointKey } from "../names/file-name.ts";
import { adoptPhases } from "./adopt-phases.ts";
import { deriveState } from "./derive-state.ts";
import type { RawDocument } from "./migrations.ts";
import type { Phase } from "./types.ts";

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

/** The entries that look like phases; the schema says what is wrong with the others. */
function phasesIn(phases: Record<string, unknown>): Record<string, Phase> {
  return Object.fromEntries(Object.entries(phases).filter((entry): entry is [string, Phase] => isRecord(entry[1])));
}

function mapValues(record: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
