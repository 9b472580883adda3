import type { ActionEntry, CategoryEntry } from "@agent-checkpoint/categories";

/** A row of a proposed config, with where it was found. */
export interface ProposedRow<Entry> {
  readonly entry: Entry;
  readonly where: string;
}

/** Rows of a proposed config. */
export interface ProposedRows {
  readonly actions: readonly ProposedRow<ActionEntry>[];
  readonly categories: readonly ProposedRow<CategoryEntry>[];
}

const MOST_PLACES = 4;

/** Where something was found, in a comment's length. */
export function listPlaces(places: readonly string[]): string {
  const all = [...new Set(places)];
  const more = all.length - MOST_PLACES;
  return all.slice(0, MOST_PLACES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
