import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import type { FileTree } from "./file-tree.ts";

const PARSERS: readonly { readonly ending: RegExp; readonly parse: (text: string) => unknown }[] = [
  { ending: /\.(?:json|jsonc|json5)$/, parse: (text) => parseJson(text) },
  { ending: /\.toml$|^Pipfile$/, parse: (text) => parseToml(text) },
  { ending: /\.ya?ml$/, parse: (text) => parseYaml(text, { logLevel: "silent", maxAliasCount: 100 }) },
];

/** The value in a JSON, TOML or YAML file; undefined where there is none or it cannot be read. */
export function readData(tree: FileTree, path: string): unknown {
  const parser = PARSERS.find(({ ending }) => ending.test(path.slice(path.lastIndexOf("/") + 1)));
  const text = tree.read(path);
  if (parser === undefined || text === null) return undefined;
  try {
    return parser.parse(text);
  } catch {
    return undefined;
  }
}

/** What lies under these keys of a value; undefined where one of them is missing. */
export function dig(value: unknown, ...keys: readonly string[]): unknown {
  let inner = value;
  for (const key of keys) inner = isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  return inner;
}

/** The entries of an object; none of anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** The strings of a list; none of anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The value where it is a string. */
export function stringOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
