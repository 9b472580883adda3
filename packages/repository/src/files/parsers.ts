/** Parsers of declarative files. */
export interface Parsers {
  /** The value of a text by the file's ending; null if it cannot be parsed. */
  parse(path: string, text: string): unknown;
}

/** Parsing YAML and TOML takes much longer than JSON; no file that a person writes is longer. */
const MAX_LENGTH = 128 * 1024;

/** The parsers that files of these names need: a library is loaded only if there is a file for it. */
export async function loadParsers(names: readonly string[]): Promise<Parsers> {
  const needs = (ending: RegExp) => names.some((name) => ending.test(name));
  const toml = needs(/\.toml$/) ? await import("smol-toml") : null;
  const yaml = needs(/\.ya?ml$/) ? await import("yaml") : null;
  const jsonc = needs(/\.jsonc?$/) ? await import("jsonc-parser") : null;
  const parseAs = (path: string, text: string): unknown => {
    if (!path.includes(".json") && text.length > MAX_LENGTH) return null;
    if (path.endsWith(".toml")) return toml?.parse(text);
    if (/\.ya?ml$/.test(path)) return yaml?.parse(text, { logLevel: "silent", maxAliasCount: 100 });
    try {
      return JSON.parse(text);
    } catch {
      return jsonc?.parse(text, [], { allowTrailingComma: true });
    }
  };
  return {
    parse: (path, text) => {
      try {
        return parseAs(path, text) ?? null;
      } catch {
        return null;
      }
    },
  };
}

/** The value under keys; undefined if there is none. */
export function dig(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** The members of an object, or of a list by index. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Deeper than any file that a person writes. */
const MAX_DEPTH = 30;

/** The texts in a value, in lists of lists, and under these keys of objects. */
export function textsIn(value: unknown, keys: readonly string[] = [], depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  const inner = Array.isArray(value) ? value : keys.map((key) => dig(value, key));
  return inner.flatMap((item) => textsIn(item, keys, depth + 1));
}

/** The texts under one of these keys, however deep it lies. */
export function textsUnder(value: unknown, keys: readonly string[], depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  return entriesOf(value).flatMap(([key, inner]) =>
    keys.includes(key) ? textsIn(inner) : textsUnder(inner, keys, depth + 1),
  );
}
