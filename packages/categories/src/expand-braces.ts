/** More ways than anybody writes out. */
const MOST_WAYS = 150;

/** All ways to read the lists in braces of a glob; null where they are too many, or a brace has no other. */
export function expandBraces(glob: string): readonly string[] | null {
  let ways: readonly string[] = [glob];
  // Every way has as many lists left as the others.
  for (;;) {
    const next = ways.flatMap((way) => expandInnermost(way) ?? []);
    if (next.length === 0) return ways.some((way) => /[{}]/.test(way)) ? null : ways;
    if (next.length > MOST_WAYS) return null;
    ways = next;
  }
}

/** The ways of the first list that holds no other; null where there is none. */
function expandInnermost(text: string): readonly string[] | null {
  const list = /\{([^{}]*)\}/.exec(text);
  if (list === null) return null;
  const { 0: whole, 1: choices = "", index } = list;
  return choices.split(",").map((choice) => text.slice(0, index) + choice + text.slice(index + whole.length));
}
