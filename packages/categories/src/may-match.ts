import { PRESET_GLOBS } from "./presets/preset-globs.ts";

/** The literal ends of all that a glob can match. */
export interface Ends {
  /** How every path begins. */
  readonly prefix: string;
  /** The ways in which a file's name begins; none where it may begin in any way. */
  readonly leads: readonly string[];
  /** The ways in which a path ends; none where it may end in any way. */
  readonly suffixes: readonly string[];
}

/**
 * Whether a glob can match a path at all, judged by its literal ends.
 * Most globs of a table are about other kinds of files, and making a matcher of each takes longer than all the rest of
 * the judgement.
 */
export function mayMatch(glob: string, path: string): boolean {
  const { prefix, leads, suffixes } = endsOf(glob);
  // The library passes over a slash at the end.
  if (path.endsWith("/")) return true;
  if (!path.startsWith(prefix)) return false;
  if (suffixes.length > 0 && !suffixes.some((suffix) => path.endsWith(suffix))) return false;
  const name = path.lastIndexOf("/") + 1;
  return leads.length === 0 || leads.some((lead) => path.startsWith(lead, name));
}

const known = new Map<string, Ends>();

function endsOf(glob: string): Ends {
  const found = PRESET_GLOBS.get(glob)?.ends ?? known.get(glob);
  if (found !== undefined) return found;
  const ends = findEnds(glob);
  known.set(glob, ends);
  return ends;
}

/** Finds the literal ends of a glob. */
export function findEnds(glob: string): Ends {
  return isPlain(glob) ? literalEnds(glob) : ANY;
}

const ANY: Ends = { prefix: "", leads: [], suffixes: [] };

function literalEnds(glob: string): Ends {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  return { prefix: prefixOf(glob), leads: leadsOf(name), suffixes: suffixesOf(name) };
}

/** Only words, stars and lists in braces; anything else is left to the library. */
function isPlain(glob: string): boolean {
  return /^[\w.*{},/-]+$/.test(glob) && !ODD.some((odd) => odd.test(glob));
}

/** What the library reads in a way of its own: stars, dots and slashes in a row, braces that are no flat list of names. */
const ODD = [
  /\*\*\*|\*\*[^/]|[^/]\*\*/,
  /\.\.|^\.?\/|\/\.?\/|\/$/,
  /\{[^,}]*\}|\{[^}]*[/{]/,
  /^[^{]*\}|\}[^{]*\}|\{[^}]*$/,
];

/** What stands before the first star or brace; a folder's glob also matches the folder, which has no slash at its end. */
function prefixOf(glob: string): string {
  return (/^[^*{]*/.exec(glob)?.[0] ?? "").replace(/\/$/, "");
}

function leadsOf(name: string): readonly string[] {
  // A name of stars alone also stands for a folder and all below it.
  if (name === "**") return [];
  const [, head = "", choices] = /^([^*{]*)(?:\{([^*}]*)\})?/.exec(name) ?? [];
  return nonEmpty(choices === undefined ? [head] : choices.split(",").map((choice) => `${head}${choice}`));
}

function suffixesOf(name: string): readonly string[] {
  const star = name.lastIndexOf("*");
  const close = name.lastIndexOf("}");
  if (star > close || close === -1) return nonEmpty([name.slice(star + 1)]);
  const open = name.lastIndexOf("{");
  const tail = name.slice(close + 1);
  if (star > open) return nonEmpty([tail]);
  const lead = name.slice(Math.max(star, name.lastIndexOf("}", open)) + 1, open);
  const choices = name.slice(open + 1, close).split(",");
  return nonEmpty(choices.map((choice) => `${lead}${choice}${tail}`));
}

/** No condition at all where one of the ways to end is to end in nothing. */
function nonEmpty(suffixes: readonly string[]): readonly string[] {
  return suffixes.includes("") ? [] : suffixes;
}
