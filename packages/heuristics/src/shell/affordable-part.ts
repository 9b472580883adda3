/** Longer than any command line but one that carries a large file: the parser takes up to ten microseconds for a character. */
const LONGEST = 50_000;

/** What makes the parser look through all of the rest, and how often that is affordable. */
const COSTLY: readonly { readonly opening: RegExp; readonly most: number }[] = [
  { opening: /\$\[|\$\(\(/g, most: 100 },
  { opening: /<</g, most: 1000 },
];

/** How many braces of one word may be open. */
const OPEN_BRACES = 100;

/** As much of a command line as can be parsed in good time; all of it, unless it was made to be slow. */
export function affordablePart(line: string): string {
  const ends = [LONGEST, ...COSTLY.map(({ opening, most }) => placeOf(line, opening, most)), tooManyBraces(line)];
  return line.slice(0, Math.min(...ends));
}

/** Where the first one too many begins. */
function placeOf(line: string, opening: RegExp, most: number): number {
  let count = 0;
  for (const { index } of line.slice(0, LONGEST).matchAll(opening)) {
    count += 1;
    if (count > most) return index;
  }
  return Infinity;
}

function tooManyBraces(line: string): number {
  let open = 0;
  for (const { 0: character, index } of line.slice(0, LONGEST).matchAll(/[{}\s]/g)) {
    if (character === "{") open += 1;
    else open = character === "}" ? Math.max(0, open - 1) : 0;
    if (open > OPEN_BRACES) return index;
  }
  return Infinity;
}
