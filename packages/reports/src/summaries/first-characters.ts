/** A character, or "other" for those beyond ASCII. */
export type FirstCharacter = string;

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const ANY: readonly FirstCharacter[] = [...PRINTABLE, "\t", "other"];
const DIGITS = PRINTABLE.filter((character) => character >= "0" && character <= "9");

/** The key of a line among first characters. */
export function firstCharacterOf(line: string): FirstCharacter {
  return line.charCodeAt(0) < 128 ? line.charAt(0) : "other";
}

/**
 * The characters that a line may begin with if it matches a pattern: at least those, and a few more where a class is met.
 *
 * Knows as much of patterns as summary lines use: literals, classes, groups with alternatives, quantifiers.
 */
export function firstCharacters(source: string): readonly FirstCharacter[] {
  const rest = source.replace(/^\^/, "");
  if (rest === "") return ANY;
  if (!rest.startsWith("(")) {
    const atom = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^])/.exec(rest)?.[0] ?? "";
    return [...charactersOf(atom), ...afterOptional(rest.slice(atom.length))];
  }
  const { alternatives, end } = readGroup(rest);
  const after = rest.slice(end).replace(/^[?*+]/, "");
  return [...alternatives.flatMap((each) => firstCharacters(each || after)), ...afterOptional(rest.slice(end))];
}

/** What may come first if the atom before is left out. */
function afterOptional(rest: string): readonly FirstCharacter[] {
  const quantifier = /^(?:[?*]|\{0,\d*\})/.exec(rest)?.[0];
  return quantifier === undefined ? [] : firstCharacters(rest.slice(quantifier.length));
}

function charactersOf(atom: string): readonly FirstCharacter[] {
  if (atom === "\\d") return DIGITS;
  if (atom === "\\t") return ["\t"];
  if (atom === "." || atom.startsWith("[") || /^\\\w$/.test(atom)) return ANY;
  return [firstCharacterOf(atom.replace("\\", ""))];
}

/** The alternatives of the group that a text begins with, and where it ends. */
function readGroup(text: string): { readonly alternatives: readonly string[]; readonly end: number } {
  const alternatives: string[] = [];
  let depth = 0;
  let start = /^\((?:\?(?::|<\w+>))?/.exec(text)?.[0].length ?? 1;
  for (const { 0: token, index } of text.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/g)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth > 1 || (token !== "|" && token !== ")") || (token === ")" && depth > 0)) continue;
    alternatives.push(text.slice(start, index));
    start = index + 1;
    if (depth === 0) break;
  }
  return { alternatives, end: start };
}
