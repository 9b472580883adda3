import { createHash, createHmac } from "node:crypto";
import { basename } from "node:path";
import type { OutcomeOfStop, StoredStop } from "@agent-checkpoint/store";
import type { TeamRow } from "./protocol.ts";

/** Whether repositories leave a machine by their names or as hashes. */
export const PRIVACY = ["names", "hashes"] as const;
export type Privacy = (typeof PRIVACY)[number];

/** Who sends: how names leave, the team's salt, and the version of the program. */
export interface Sender {
  readonly privacy: Privacy;
  readonly salt: string;
  readonly client: string;
}

/**
 * A stop as it leaves the machine; this is all that does. Ids, counts and times: no path, no name of a file, no prompt,
 * no command, no sentence of a check, no session.
 */
export function stopRow(stop: StoredStop, sender: Sender): TeamRow {
  return {
    t: "stop",
    uid: rowId(stop),
    at: stop.at.toISOString(),
    agent: stop.agent,
    repository: repositoryName(stop, sender),
    decision: stop.decision,
    reason: idOf(stop.reason),
    rules: stop.actions.slice(0, 64).map(idOf),
    checks: [...new Set(stop.observations.map(({ check }) => idOf(check)))].slice(0, 64),
    durationMs: countOf(stop.durationMs),
    messageLength: countOf(stop.messageLength),
    files: countOf(stop.trail?.changedFileCount),
    client: sender.client,
  };
}

/** What became of a rule, as it leaves the machine; the words with which it was waived stay. */
export function outcomeRow({ outcome, stop }: OutcomeOfStop, sender: Sender): TeamRow {
  return {
    t: "outcome",
    uid: rowId(stop),
    at: stop.at.toISOString(),
    agent: stop.agent,
    repository: repositoryName(stop, sender),
    rule: idOf(outcome.rule || "message"),
    kind: outcome.kind,
    mode: outcome.mode,
    outcome: outcome.outcome,
    why: outcome.why === null ? null : idOf(outcome.why),
    seconds: countOf(outcome.seconds),
    tokens: countOf(outcome.tokens),
    judgedAt: outcome.judgedAt.toISOString(),
  };
}

/**
 * The id of a stop, made of what never changes in its row: the same row has the same id on whatever machine a copy of
 * the home lies, so copies merge. The time comes first, so that a database finds neighbours beside one another.
 */
export function rowId({ agent, sessionId, turn, at, id }: StoredStop): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([agent, sessionId, turn, at.getTime(), id]))
    .digest();
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1), 0, 6);
  hash.copy(bytes, 6, 0, 10);
  // The marks of a UUID of version 8: made by a program's own rule.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The name of the repository's folder, or its hash with the team's salt; null without one. */
function repositoryName({ repository, projectPath }: StoredStop, { privacy, salt }: Sender): string | null {
  const name = basename((repository ?? projectPath ?? "").replaceAll("\\", "/"));
  if (name === "") return null;
  if (privacy === "hashes") return `#${createHmac("sha256", salt).update(name).digest("hex").slice(0, 16)}`;
  // Half of a pair of characters is a character that no database takes.
  return name.slice(0, 100).replaceAll(/[\p{Cc}\p{Cs}]/gu, "?");
}

/** An id, or `other` for what is none: a config may name its rules only in such words, but a record may be old. */
function idOf(text: string): string {
  return /^[a-z0-9][a-z0-9:-]{0,63}$/.test(text) ? text : "other";
}

function countOf(value: number | null | undefined): number | null {
  return value == null || !Number.isFinite(value) ? null : Math.min(Math.max(Math.round(value), 0), 2 ** 31 - 1);
}
