import { expandBraces } from "./expand-braces.ts";

/** Whether a path matches. */
export type PathTest = (path: string) => boolean;

/**
 * A matcher that never tries twice, for globs with so many stars that a pattern would try all ways to share a path out
 * among them; null for what only the library can read.
 *
 * What a star takes is settled by the first place where the rest up to the next star fits: a later place leaves less to
 * choose from. The same goes for folders and `**`.
 */
export function patientMatcher(glob: string): PathTest | null {
  if (!READABLE.test(glob) || ODD_SHAPES.some((odd) => odd.test(glob))) return null;
  const ways = expandBraces(glob);
  if (ways === null || ways.some((way) => deepStars(way) > deepStars(glob))) return null;
  const wanted = ways.map((way) => way.split("/").map(toPart));
  return (path) => wanted.some((parts) => fitsAll(parts, path.split("/"), isAnyDepth, fitsPart));
}

/** A star in braces and one beside them do not make the `**` that they look like. */
function deepStars(glob: string): number {
  return glob.match(/\*\*/g)?.length ?? 0;
}

const READABLE = /^[^()|\\"'!+@^$`~\n]+$/;

/** What the library reads in ways of its own; whoever writes such a glob with that many stars is not helped. */
const ODD_SHAPES: readonly RegExp[] = [
  // Stars in a row beside other letters, and at the end of a folder that is no plain name.
  /[^/]\*\*|\*\*[^/]|[*}]\/\*\*$/,
  // Braces that are no lists or have an empty choice, and those that may be nothing after `**`.
  /\{[^,{}]*\}|[{,][,}]|\*\*\/\{[^}]*\}?$/,
  // Brackets with more in them than letters.
  /\[[^\w]|\[[^\]]*(?:[^\w\]-]|$)|\[\]|\]\]/,
  // Empty parts, and those that name no file.
  /\.\.|^\.?\/|\/\.?\/|\/\.?$/,
];

/** A folder's or file's name as its characters, or `**`. */
type Part = "**" | readonly Character[];

/** One character, or any number of them. */
type Character = "*" | { readonly fits: (character: string) => boolean };

const isAnyDepth = (part: Part): boolean => part === "**";

function fitsPart(part: Part, name: string): boolean {
  return part !== "**" && fitsAll(part, name.split(""), (character) => character === "*", fitsCharacter);
}

function fitsCharacter(wanted: Character, character: string): boolean {
  return wanted !== "*" && wanted.fits(character);
}

function toPart(text: string): Part {
  if (text === "**") return "**";
  return (text.match(/\*+|\[[^\]]*\]|[\s\S]/g) ?? []).map((piece): Character => {
    if (piece.startsWith("*")) return "*";
    if (piece === "?") return { fits: () => true };
    if (piece.length === 1) return { fits: (character) => character === piece };
    const oneOf = new RegExp(`^${piece}$`);
    return { fits: (character) => oneOf.test(character) };
  });
}

/** Whether items fit a list of which some take any number of them. */
function fitsAll<Wanted, Item>(
  wanted: readonly Wanted[],
  items: readonly Item[],
  takesAny: (one: Wanted) => boolean,
  fits: (one: Wanted, item: Item) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let lastAny = -1;
  let resume = 0;
  while (next < items.length) {
    const one = wanted[at];
    const item = items[next];
    if (one !== undefined && takesAny(one)) {
      lastAny = at;
      resume = next;
      at += 1;
    } else if (one !== undefined && item !== undefined && fits(one, item)) {
      at += 1;
      next += 1;
    } else if (lastAny === -1) return false;
    else {
      resume += 1;
      next = resume;
      at = lastAny + 1;
    }
  }
  return wanted.slice(at).every(takesAny);
}
