import { findReports, type TestReport } from "@agent-checkpoint/reports";
import { type JsonObject, parseObject } from "../read/json.ts";
import type { ToolCallRecord, ToolKind, TranscriptRange } from "../types.ts";

/** The calls and outcomes met while a transcript is read backwards. */
export interface Collection {
  /** By id, the last call of the file first. */
  readonly calls: Map<string, Call>;
  readonly outcomes: Map<string, Outcome>;
  /** The ids of the calls that started sub-agents, by the sub-agent's key. */
  readonly starters: Map<string, string>;
}

/** An empty collection. */
export function newCollection(): Collection {
  return { calls: new Map(), outcomes: new Map(), starters: new Map() };
}

/** Adds a call from a line before those added so far; a call that is written twice counts at its first place. */
export function addCall({ calls }: Collection, call: Call): void {
  const known = calls.get(call.id);
  if (known !== undefined && known.offset <= call.offset) return;
  calls.delete(call.id);
  calls.set(call.id, call);
}

/** Adds an outcome from a line before those added so far; the last one written counts. */
export function addOutcome({ outcomes }: Collection, id: string, outcome: Outcome, at: Date | null = null): void {
  if (!outcomes.has(id)) outcomes.set(id, { ...outcome, at });
}

/** The calls whose lines start in a range, in the order of the file. */
export function callsIn({ calls }: Collection, { from, to }: TranscriptRange): readonly Call[] {
  return [...calls.values()]
    .toReversed()
    .filter(({ offset }) => offset >= from && offset < to)
    .sort((one, other) => one.offset - other.offset);
}

/** Joins calls with their outcomes by id, whatever the order of their lines, and keeps the order of the calls. */
export function pairCalls(calls: readonly Call[], outcomes: ReadonlyMap<string, Outcome>): readonly ToolCallRecord[] {
  return calls.map((call) => pairCall(call, outcomes.get(call.id)));
}

/** These kinds of calls return the text of files, not the end of a run. */
const WITHOUT_REPORTS: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "write", "search"]);

function pairCall(call: Call, outcome: Outcome | undefined): ToolCallRecord {
  return {
    id: call.id,
    toolName: call.toolName,
    kind: call.kind,
    inputData: call.inputData,
    command: call.command,
    cwd: call.cwd,
    files: [...new Set([...call.files, ...(outcome?.files ?? [])])],
    hadError: outcome?.hadError ?? null,
    hasResult: outcome !== undefined,
    rejected: outcome?.rejected ?? false,
    exitCode: call.kind === "shell" ? (outcome?.exitCode ?? null) : null,
    resultSnippet: outcome?.snippet ?? "",
    reports: WITHOUT_REPORTS.has(call.kind) ? [] : (outcome?.reports ?? []),
    timestamp: call.timestamp,
    endedAt: outcome?.at ?? null,
    by: call.by,
  };
}

/** The parts of a result's text that are kept: a snippet, and the reports of test runners anywhere in it. */
export function readOutput(text: string): Pick<Outcome, "snippet" | "reports"> {
  const reports = findReports(textIn(text));
  // Names in a report are parts of the text, and would keep all of it in memory.
  return { snippet: snippet(text), reports: reports.length === 0 ? reports : structuredClone(reports) };
}

/** The texts in an answer that is one line of JSON, as third-party tools give it; else the answer itself. */
function textIn(answer: string): string {
  const object = answer.startsWith("{") && !answer.trimEnd().includes("\n") ? parseObject(answer) : null;
  if (object === null) return answer;
  return Object.values(object)
    .filter((value) => typeof value === "string")
    .join("\n");
}

const LIMIT = 500;
const HEAD = 240;
const GAP = "\n[…]\n";

/** At most 500 characters of a text: its head and its tail, so that an exit line at either end survives. */
export function snippet(text: string): string {
  if (text.length <= LIMIT) return text;
  const cut = text.slice(0, HEAD) + GAP + text.slice(HEAD + GAP.length - LIMIT);
  // A cut can go through a character; the search for halves also frees the text, which the slices would keep in memory.
  return cut.replace(/\p{Surrogate}/gu, "");
}

/** A tool call as its line shows it, before its result is known. */
export interface Call {
  readonly id: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly inputData: JsonObject;
  readonly command: string | null;
  readonly cwd: string | null;
  readonly files: readonly string[];
  readonly timestamp: Date | null;
  readonly by: "main" | "subagent";
  /** Where the call's line starts, in bytes. */
  readonly offset: number;
}

/** The outcome of a call, from its result. */
export interface Outcome {
  readonly hadError: boolean | null;
  readonly rejected: boolean;
  readonly exitCode: number | null;
  /** The result's text, cut down to a snippet. */
  readonly snippet: string;
  /** The reports of test runners anywhere in the text. */
  readonly reports: readonly TestReport[];
  /** When the result was written. */
  readonly at?: Date | null | undefined;
  /** Files that only the result names. */
  readonly files?: readonly string[] | undefined;
}

/** The calls of a part of one transcript. */
export interface Part {
  readonly records: readonly ToolCallRecord[];
  /** The ids of the calls that started sub-agents, by the sub-agent's key. */
  readonly starters: ReadonlyMap<string, string>;
}

/** The calls that a sub-agent made in its own transcript. */
export interface SubAgent {
  /** The key by which the call that started it knows it. */
  readonly key: string;
  readonly part: Part;
}

/** A part without the calls that were made after a moment. */
export function recordsUntil({ records, starters }: Part, until: Date | null): Part {
  return {
    records: records.filter(({ timestamp }) => until === null || timestamp === null || timestamp <= until),
    starters,
  };
}

/** An empty part. */
export const EMPTY_PART: Part = { records: [], starters: new Map() };

/**
 * Puts the calls of each sub-agent after the call that started it, those of its own sub-agents included.
 *
 * A sub-agent that was started in an earlier turn has no such call here; it stands where its first call belongs
 * by time.
 */
export function placeSubAgents(main: Part, subAgents: readonly SubAgent[]): readonly ToolCallRecord[] {
  if (subAgents.length === 0) return main.records;
  const waiting = subAgentsByStarter(main, subAgents);
  const take = (starter: string | null): readonly ToolCallRecord[] => {
    const started = waiting.get(starter) ?? [];
    waiting.delete(starter);
    return started.flatMap(({ part }) => withSubAgents(part.records));
  };
  const withSubAgents = (records: readonly ToolCallRecord[]): readonly ToolCallRecord[] =>
    records.flatMap((record) => [record, ...take(record.id)]);
  return [...take(null), ...withSubAgents(main.records)];
}

function subAgentsByStarter(main: Part, subAgents: readonly SubAgent[]): Map<string | null, readonly SubAgent[]> {
  const parts = [main, ...subAgents.map(({ part }) => part)];
  const starters = new Map(parts.flatMap((part) => [...part.starters]));
  const ids = new Set(parts.flatMap(({ records }) => records.map(({ id }) => id)));
  const grouped = new Map<string | null, readonly SubAgent[]>();
  for (const subAgent of subAgents.toSorted((one, other) => startOf(one) - startOf(other))) {
    const named = starters.get(subAgent.key);
    const starter = named !== undefined && ids.has(named) ? named : lastBefore(main.records, startOf(subAgent));
    grouped.set(starter, [...(grouped.get(starter) ?? []), subAgent]);
  }
  return grouped;
}

function startOf({ part }: SubAgent): number {
  return part.records[0]?.timestamp?.getTime() ?? 0;
}

function lastBefore(records: readonly ToolCallRecord[], moment: number): string | null {
  return records.findLast(({ timestamp }) => timestamp !== null && timestamp.getTime() <= moment)?.id ?? null;
}
