import { createHash } from "node:crypto";
import { basename } from "node:path";
import { redactJson } from "@agent-checkpoint/redaction";
import type { Outcome, StoredStop } from "@agent-checkpoint/store";
import { VERSION } from "../version.ts";

/** The rows of one request. */
export interface OtlpRows {
  readonly stops: readonly StoredStop[];
  /** Each with its stop; null if that is no longer in the store. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly stop: StoredStop | null }[];
}

export interface OtlpOptions {
  /** Whether repositories go by their names; by default by a hash of them. */
  readonly hasNames: boolean;
  readonly now: Date;
}

/** What OTLP sends over HTTP. */
export const SIGNALS = ["logs", "metrics"] as const;
export type Signal = (typeof SIGNALS)[number];

/**
 * The body of a request, in OTLP's JSON: numbers of 64 bits are strings, ids are hexadecimal, names in camel case.
 * It holds ids, counts and times; no texts, paths, file names, commands or session ids.
 */
export function toOtlp(signal: Signal, rows: OtlpRows, options: OtlpOptions): string {
  return JSON.stringify(redactJson(signal === "logs" ? logsOf(rows, options) : metricsOf(rows, options)));
}

const SCOPE = { name: "agent-checkpoint", version: VERSION };
const RESOURCE = { attributes: attributesOf({ "service.name": "agent-checkpoint", "service.version": VERSION }) };

function logsOf({ stops, outcomes }: OtlpRows, options: OtlpOptions): object {
  const logRecords = [
    ...stops.map((stop) => ({
      ...recordOf("agent_checkpoint.stop", stop.at, options),
      ...traceOf(stop),
      attributes: attributesOf({
        "event.name": "agent_checkpoint.stop",
        "agent_checkpoint.id": idOf(stop),
        "agent_checkpoint.agent": stop.agent,
        "agent_checkpoint.decision": stop.decision,
        "agent_checkpoint.reason": stop.reason,
        "agent_checkpoint.route": stop.route,
        "agent_checkpoint.repository": repositoryOf(stop.repository ?? stop.projectPath, options),
        "agent_checkpoint.actions": stop.actions,
        "agent_checkpoint.checks": [...new Set(stop.observations.map(({ check }) => check))],
        "agent_checkpoint.duration_ms": stop.durationMs,
        "agent_checkpoint.message_length": stop.messageLength,
        "agent_checkpoint.changed_files": stop.trail?.changedFileCount ?? null,
        "prompt.id": promptIdOf(stop),
      }),
    })),
    ...outcomes.map(({ outcome, stop }) => ({
      ...recordOf("agent_checkpoint.outcome", outcome.at, options),
      ...(stop === null ? {} : traceOf(stop)),
      attributes: attributesOf({
        "event.name": "agent_checkpoint.outcome",
        "agent_checkpoint.id": stop === null ? null : idOf(stop),
        ...outcomeKey(outcome, options),
        "agent_checkpoint.kind": outcome.kind,
        "agent_checkpoint.why": outcome.why,
        "agent_checkpoint.seconds": outcome.seconds,
        "agent_checkpoint.tokens": outcome.tokens,
        "prompt.id": stop === null ? null : promptIdOf(stop),
      }),
    })),
  ];
  return { resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords }] }] };
}

function recordOf(eventName: string, at: Date, { now }: OtlpOptions): object {
  return {
    timeUnixNano: nanoseconds(at),
    observedTimeUnixNano: nanoseconds(now),
    severityNumber: 9,
    severityText: "INFO",
    eventName,
    body: { stringValue: eventName },
  };
}

/** The stops and outcomes of one turn have one trace id; it is no trace that somebody else knows. */
function traceOf({ agent, sessionId, turn }: StoredStop): { readonly traceId: string } {
  return { traceId: digest([agent, sessionId, turn]) };
}

/** The same row has the same id wherever it is stored, so a backend can drop what came twice. */
function idOf({ agent, sessionId, turn, at, decision, reason }: StoredStop): string {
  return digest([agent, sessionId, turn, at.getTime(), decision, reason]);
}

/** The agent's own id of the prompt, which its own telemetry has too; a name of ours is made of the prompt's text. */
function promptIdOf({ turn }: StoredStop): string | null {
  return turn === null || turn.includes("@") ? null : turn;
}

function repositoryOf(path: string | null, { hasNames }: OtlpOptions): string | null {
  if (path === null) return null;
  return hasNames ? basename(path) : digest([basename(path)]).slice(0, 16);
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function outcomeKey({ agent, repository, rule, mode, outcome }: Outcome, options: OtlpOptions): Attributes {
  return {
    "agent_checkpoint.agent": agent,
    "agent_checkpoint.repository": repositoryOf(repository, options),
    "agent_checkpoint.rule": rule === "" ? null : rule,
    "agent_checkpoint.mode": mode,
    "agent_checkpoint.outcome": outcome,
  };
}

/** The upper bounds of the histogram of durations, in milliseconds. */
const BOUNDS: readonly number[] = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000];

/** Sums and durations of these rows alone: each request adds to what was sent before. */
const DELTA = 1;

function metricsOf({ stops, outcomes }: OtlpRows, options: OtlpOptions): object {
  const stopsBy = grouped(stops, (stop) => ({
    "agent_checkpoint.agent": stop.agent,
    "agent_checkpoint.decision": stop.decision,
    "agent_checkpoint.reason": stop.reason,
    "agent_checkpoint.repository": repositoryOf(stop.repository ?? stop.projectPath, options),
  }));
  const asked = outcomes.map(({ outcome }) => outcome).filter(({ kind }) => kind !== "message");
  const outcomesBy = grouped(asked, (outcome) => outcomeKey(outcome, options));
  const durationsBy = grouped(stops, (stop) => ({
    "agent_checkpoint.agent": stop.agent,
    "agent_checkpoint.decision": stop.decision,
  }));
  const metrics = [
    ...sums("agent_checkpoint.stops", "Stops of agents", "{stop}", stopsBy),
    ...sums("agent_checkpoint.outcomes", "What became of what was asked for", "{outcome}", outcomesBy),
    ...durations("agent_checkpoint.stop.duration", "How long a stop took", durationsBy),
  ];
  return { resourceMetrics: [{ resource: RESOURCE, scopeMetrics: [{ scope: SCOPE, metrics }] }] };
}

interface Group<Row> {
  readonly attributes: Attributes;
  readonly rows: readonly Row[];
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => Attributes): readonly Group<Row>[] {
  const groups = new Map<string, { attributes: Attributes; rows: Row[] }>();
  for (const row of rows) {
    const attributes = keyOf(row);
    const key = JSON.stringify(attributes);
    const group = groups.get(key) ?? { attributes, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A metric without points is none. */
function sums(
  name: string,
  description: string,
  unit: string,
  groups: readonly Group<{ readonly at: Date }>[],
): readonly object[] {
  if (groups.length === 0) return [];
  const dataPoints = groups.map(({ attributes, rows }) => ({
    ...pointOf(attributes, rows),
    asInt: String(rows.length),
  }));
  return [{ name, description, unit, sum: { aggregationTemporality: DELTA, isMonotonic: true, dataPoints } }];
}

function durations(name: string, description: string, groups: readonly Group<StoredStop>[]): readonly object[] {
  if (groups.length === 0) return [];
  const dataPoints = groups.map(({ attributes, rows }) => ({
    ...pointOf(attributes, rows),
    count: String(rows.length),
    sum: rows.reduce((total, { durationMs }) => total + durationMs, 0),
    bucketCounts: bucketsOf(rows.map(({ durationMs }) => durationMs)).map(String),
    explicitBounds: BOUNDS,
  }));
  return [{ name, description, unit: "ms", histogram: { aggregationTemporality: DELTA, dataPoints } }];
}

/** A point covers the time in which its rows happened; its start is not part of it. */
function pointOf(attributes: Attributes, rows: readonly { readonly at: Date }[]): object {
  const times = rows.map(({ at }) => at.getTime());
  return {
    attributes: attributesOf(attributes),
    startTimeUnixNano: nanoseconds(new Date(Math.min(...times) - 1)),
    timeUnixNano: nanoseconds(new Date(Math.max(...times))),
  };
}

function bucketsOf(values: readonly number[]): readonly number[] {
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  for (const value of values) {
    const found = BOUNDS.findIndex((bound) => value <= bound);
    const index = found === -1 ? BOUNDS.length : found;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

type Attributes = Readonly<Record<string, string | number | readonly string[] | null>>;

/** Attributes that are not known are left out. */
function attributesOf(values: Attributes): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: anyValue(value) }]));
}

function anyValue(value: string | number | readonly string[]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: String(Math.round(value)) };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

function nanoseconds(at: Date): string {
  return String(BigInt(at.getTime()) * 1_000_000n);
}
