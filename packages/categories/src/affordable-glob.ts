import { PRESET_GLOBS } from "./presets/preset-globs.ts";
import { REPEATED_GROUP } from "./repeated-group.ts";

/** Longer than any glob that somebody writes. */
export const LONGEST_GLOB = 300;

/** How many ways to match are tried at most. */
const MOST_WAYS = 1e7;

/** What makes a glob's pattern try many ways. */
export interface Effort {
  /** The places where any number of characters fits. */
  readonly stars: number;
  /** How many ways there are to choose one of each group. */
  readonly choices: number;
}

/** Whether the library's pattern for a glob comes to an end on a path in good time. */
export function isAffordable(glob: string, path: string): boolean {
  const effort = PRESET_GLOBS.get(glob)?.effort ?? findEffort(glob);
  return effort !== null && path.length ** effort.stars * effort.choices <= MOST_WAYS;
}

/** Finds out what a glob's pattern has to try; null for one that may try for ever. */
export function findEffort(glob: string): Effort | null {
  if (REPEATED_GROUP.test(glob)) return null;
  // In a group a plus is a sign of its own.
  return { stars: glob.match(/\*+|!\(|\+/g)?.length ?? 0, choices: choicesIn(glob) };
}

/** How many ways there are to choose one of each group; more where groups are in groups. */
function choicesIn(glob: string): number {
  let choices = 1;
  const open: number[] = [];
  for (const [sign] of glob.matchAll(/\?\(|[)}\]]\?|[{}(),|]/g)) {
    if (sign.endsWith("?")) choices *= 2;
    if (/^[)}]/.test(sign)) choices *= open.pop() ?? 1;
    else if (sign === "," || sign === "|") open.push((open.pop() ?? 1) + 1);
    else if (sign !== "]?") open.push(sign === "?(" ? 2 : 1);
  }
  return choices;
}
