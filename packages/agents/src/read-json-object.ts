import { readFileSync } from "node:fs";
import { type ParseError, parse } from "jsonc-parser";

/** The object that a JSON file holds, comments allowed; empty where there is none. */
export function readJsonObject(file: string): Readonly<Record<string, unknown>> {
  const text = readTextIfAny(file);
  if (text === null) return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  return errors.length === 0 ? asObject(value) : {};
}

/** A value as an object; empty for everything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** The text of a file; null where it cannot be read. */
export function readTextIfAny(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
