import type { TranscriptRange } from "../types.ts";
import type { Call, Outcome } from "./call.ts";

/** The calls and outcomes met while a transcript is read backwards. */
export interface Collection {
  /** By id, the last call of the file first. */
  readonly calls: Map<string, Call>;
  readonly outcomes: Map<string, Outcome>;
  /** The ids of the calls that started sub-agents, by the sub-agent's key. */
  readonly starters: Map<string, string>;
}

/** A collection of nothing yet. */
export const newCollection = (): Collection => ({ calls: new Map(), outcomes: new Map(), starters: new Map() });

/** Adds a call from a line before those added so far; a call written twice counts where it was written first. */
export const addCall = ({ calls }: Collection, call: Call): void => {
  const known = calls.get(call.id);
  if (known !== undefined && known.offset <= call.offset) return;
  calls.delete(call.id);
  calls.set(call.id, call);
};

/** Adds an outcome from a line before those added so far; the last one written counts. */
export const addOutcome = ({ outcomes }: Collection, id: string, outcome: Outcome): void => {
  if (!outcomes.has(id)) outcomes.set(id, outcome);
};

/** The calls whose lines start in a range, in the order of the file. */
export const callsIn = ({ calls }: Collection, { from, to }: TranscriptRange): readonly Call[] =>
  [...calls.values()]
    .toReversed()
    .filter(({ offset }) => offset >= from && offset < to)
    .sort((one, other) => one.offset - other.offset);
