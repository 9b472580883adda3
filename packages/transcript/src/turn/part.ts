import type { ToolCallRecord } from "../types.ts";

/** The calls of a part of one transcript. */
export interface Part {
  readonly records: readonly ToolCallRecord[];
  /** The ids of the calls that started sub-agents, by the sub-agent's key. */
  readonly starters: ReadonlyMap<string, string>;
}

/** The calls that a sub-agent made in its own transcript. */
export interface SubAgent {
  /** What the call that started it knows it by. */
  readonly key: string;
  readonly part: Part;
}

/** A part without the calls that were made after a moment. */
export const recordsUntil = ({ records, starters }: Part, until: Date | null): Part => ({
  records: records.filter(({ timestamp }) => until === null || timestamp === null || timestamp <= until),
  starters,
});

/** A part with nothing in it. */
export const EMPTY_PART: Part = { records: [], starters: new Map() };
