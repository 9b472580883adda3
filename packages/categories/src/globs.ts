import micromatch from "micromatch";
import { PRESET_PATTERNS } from "./presets/preset-patterns.generated.ts";

/** Longer than any glob that a person writes. */
export const MAX_GLOB_LENGTH = 300;

/** More stars than any glob that a person writes. */
export const MAX_GLOB_STARS = 6;

/** How many ways to match a path a pattern may have to try: about half a second's work. */
const MAX_ATTEMPTS = 1e8;

/** How many paths are compared with globs at one stop: a few seconds' work. */
const MAX_COMPARISONS = 1e7;

/** A group that may repeat: its pattern tries every way to cut a path into repetitions. */
const REPEATED_GROUP = /[+*]\(|\)[*{]|[)}\]]\+/;

/** A glob, and what it takes to match a path; null if no path of any length ends in good time. */
interface Pattern {
  readonly stars: number;
  readonly choices: number;
  readonly regexp: RegExp;
}

const patterns = new Map<string, Pattern | null>();

/** Whether a path matches one of the globs: real globstar, dotfiles included. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  // A glob's `**` does not cross a line break, and a file name may hold one.
  const line = path.replaceAll(/[\n\r\u2028\u2029]/g, " ");
  return globs.some(
    (glob) =>
      line === glob || ((patterns.has(glob) || mayMatch(line, glob)) && patternOf(glob, line)?.test(line) === true),
  );
}

/** Whether a path has the plain letters that a glob asks for: to make a pattern takes up to a hundred times as long. */
function mayMatch(path: string, glob: string): boolean {
  if (!PLAIN_GLOB.test(glob) || glob.includes("..") || path.endsWith("/")) return true;
  // No path holds a line break, so these stand for its beginning and its end.
  const [whole, asked] = [`\n${path}\n`, `\n${glob.replace(/^\.\//, "")}\n`];
  const hasLetters = (text: string) => text.split(/[*/]/).every((letters) => whole.includes(letters));
  return asked.split(/[{}]/).every((text, at) => (at % 2 === 0 ? hasLetters(text) : text.split(",").some(hasLetters)));
}

/** A glob of letters, stars and lists of both, like `**\/{*_test,test_*}.{py,rb}`. */
const PLAIN_GLOB = /^(?:[\w./*-]|\{[\w./*-]*(?:,[\w./*-]*)+\})*$/;

/** How many places of a glob take any number of characters. */
export function countStars(glob: string): number {
  // In a group a plus is a sign of its own.
  return glob.match(/\*+|!\(|\+/g)?.length ?? 0;
}

/** Whether a glob has a group that may repeat, which can take for ever on some paths. */
export function hasRepeatedGroup(glob: string): boolean {
  return REPEATED_GROUP.test(glob);
}

/** How many files can be matched against that many globs in reasonable time. */
export function affordableFiles(globs: number): number {
  return Math.ceil(MAX_COMPARISONS / Math.max(globs, 1));
}

/**
 * Whether a pattern ends in good time on a path.
 * A glob that does not is a match for nothing: only hostile globs and paths of hundreds of characters get there.
 */
function isCheap({ stars, choices }: Pattern, path: string): boolean {
  let attempts = choices;
  for (let star = 1; star <= stars; star += 1) attempts *= (path.length + star) / star;
  return attempts <= MAX_ATTEMPTS;
}

/** How many ways there are to choose one of each group; more if groups are nested. */
function countChoices(glob: string): number {
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

/** micromatch's pattern for a glob; null if it could take too long on the path. */
function patternOf(glob: string, path: string): RegExp | null {
  const known = patterns.get(glob);
  const pattern = known === undefined ? makePattern(glob) : known;
  if (known === undefined) patterns.set(glob, pattern);
  return pattern !== null && isCheap(pattern, path) ? pattern.regexp : null;
}

/** The presets' patterns were made at build time, and are known to end. */
function makePattern(glob: string): Pattern | null {
  const source = PRESET_PATTERNS.get(glob);
  if (source !== undefined) return { stars: 0, choices: 1, regexp: new RegExp(source) };
  const stars = countStars(glob);
  if (glob.length > MAX_GLOB_LENGTH || stars > MAX_GLOB_STARS || hasRepeatedGroup(glob)) return null;
  return { stars, choices: countChoices(glob), regexp: micromatch.makeRe(glob, { dot: true }) };
}
