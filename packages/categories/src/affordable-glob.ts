/** Longer than any glob that somebody writes. */
export const LONGEST_GLOB = 300;

/** A group that may repeat: its pattern tries every way to cut a path into repetitions. */
export const REPEATED_GROUP: RegExp = /[+*]\(|\)[*{]|[)}\]]\+/;

/** How many ways to match are tried at most. */
const MOST_WAYS = 1e7;

/** Whether the library's pattern for a glob comes to an end on a path in good time. */
export function isAffordable(glob: string, path: string): boolean {
  if (REPEATED_GROUP.test(glob)) return false;
  // In a group a plus is a sign of its own.
  const stars = glob.match(/\*+|!\(|\+/g)?.length ?? 0;
  return path.length ** stars * choicesIn(glob) <= MOST_WAYS;
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
