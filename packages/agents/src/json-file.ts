import { readFileSync } from "node:fs";
import { type ParseError, parse } from "jsonc-parser";

/** The object in a JSON file, comments allowed; empty if there is none. */
export function readJsonObject(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
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
