import type { Entry } from "../read/backwards.ts";
import type { TranscriptRange, TurnHints } from "../types.ts";

/** What an entry shows about the turns of a transcript. */
export type TurnMark =
  | { readonly kind: "opens" }
  /** Opens a turn, unless the transcript has entries that surely do. */
  | { readonly kind: "may-open" }
  /** A further prompt of the turn under way, which is known by this id. */
  | { readonly kind: "goes-on"; readonly turnId: string }
  | { readonly kind: "ends" };

/** A search for the turns of a transcript, which takes its entries in order. */
export interface TurnScan {
  /** Entries that mention none of these texts can be skipped. */
  readonly mentions: readonly string[];
  readonly take: (entry: Entry) => TurnMark | null;
}

/** The range of a turn, and its hints. */
export interface FoundTurn extends TranscriptRange {
  readonly hints: Pick<TurnHints, "promptId">;
}

/** Finds the turns in entries in the order of the file; each goes from its prompt to the next one. */
export function* findTurns(
  entries: Iterable<Entry>,
  scan: TurnScan,
  size: number,
): Generator<FoundTurn, void, undefined> {
  let from: number | null = null;
  let hints: FoundTurn["hints"] = {};
  let unsure: number[] = [];
  let isSure = false;
  for (const entry of entries) {
    const mark = scan.take(entry);
    if (mark === null) continue;
    if (mark.kind === "may-open" && !isSure) unsure.push(entry.offset);
    if (mark.kind === "goes-on") hints = { promptId: mark.turnId };
    if (mark.kind !== "opens" && mark.kind !== "ends") continue;
    if (from !== null) yield { from, to: entry.offset, hints };
    from = mark.kind === "opens" ? entry.offset : null;
    hints = {};
    isSure = true;
    unsure = [];
  }
  if (from !== null) yield { from, to: size, hints };
  for (const [index, start] of unsure.entries()) yield { from: start, to: unsure[index + 1] ?? size, hints: {} };
}

/** The first 16 hexadecimal digits of the SHA-256 of a text, without the white space around it. */
export function digest(text: string): string {
  // Loading this module takes a seventh as long as node takes to start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text.trim(), "utf8").digest("hex").slice(0, 16);
}
