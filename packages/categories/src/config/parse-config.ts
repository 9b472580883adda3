import { createScanner, parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import * as v from "valibot";
import type { ConfigProblem } from "./config-problem.ts";
import type { Config } from "./config.ts";
import { configSchema } from "./schema.ts";

/** A config, or what is wrong with it. */
export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads the text of a config file; comments and trailing commas are allowed. */
export function parseConfig(text: string, file: string): ConfigResult {
  const refused = refusal(text);
  if (refused !== null) return { ok: false, problems: [{ file, key: "", ...refused }] };
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error) {
    const found = `${printParseErrorCode(error.error)} at line ${lineOf(text, error.offset)}`;
    return { ok: false, problems: [{ file, key: "", expected: "JSON with comments", found }] };
  }
  if (Array.isArray(value)) return { ok: false, problems: [{ file, key: "", expected: "Object", found: show(value) }] };
  const result = v.safeParse(configSchema(), value, { abortPipeEarly: true });
  if (result.success) return { ok: true, config: result.output };
  return { ok: false, problems: result.issues.map((issue) => toProblem(issue, file)) };
}

/** Ten times as long as the longest that a person has written. */
const MAX_CHARACTERS = 100_000;

/** Why a text is not even looked at: a repository's config is read at every stop, and anybody may have written it. */
function refusal(text: string): Pick<ConfigProblem, "expected" | "found"> | null {
  if (text.length > MAX_CHARACTERS)
    return { expected: `at most ${MAX_CHARACTERS} characters`, found: `${text.length}` };
  if (isNestedTooDeeply(text)) return { expected: `at most ${MAX_LEVELS} levels of brackets`, found: "more" };
  return null;
}

function toProblem(issue: v.BaseIssue<unknown>, file: string): ConfigProblem {
  const path = issue.path ?? [];
  // An array has members by name too, and valibot looks for ours among them.
  const list = path.findIndex(({ type, input }) => type === "object" && Array.isArray(input));
  if (list !== -1) {
    return { file, key: keyOf(path.slice(0, list)), expected: "Object", found: show(path[list]?.input) };
  }
  const key = keyOf(path);
  const named = /^expected (.*)$/s.exec(issue.message)?.[1];
  if (issue.type === "strict_object" && issue.expected === "never") {
    const near = nearestKey(path);
    const expected = near === null ? "only known keys" : `only known keys, such as \`${near}\``;
    return { file, key, expected, found: "a key that means nothing here" };
  }
  return {
    file,
    key,
    expected: named ?? issue.expected ?? "another value",
    found: show(issue.path ? issue.path.at(-1)?.value : issue.input),
  };
}

function keyOf(path: readonly v.IssuePathItem[]): string {
  return path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

/** The known key that was probably meant by the last one of a path; null if none is like it. */
function nearestKey(path: readonly v.IssuePathItem[]): string | null {
  const key = path.at(-1)?.key;
  const wrong = typeof key === "string" ? key.toLowerCase() : "";
  let within: SchemaPart | undefined = plainSchema(configSchema() as SchemaPart);
  for (const { key: step } of path.slice(0, -1))
    within = plainSchema(typeof step === "number" ? within?.item : within?.entries?.[String(step)]);
  const keys = Object.keys(within?.entries ?? {});
  const [best] = keys
    .map((known) => ({ known, changes: changesBetween(wrong, known.toLowerCase()) }))
    .filter(({ known, changes }) => changes <= 2 || (wrong.length >= 4 && known.toLowerCase().startsWith(wrong)))
    .toSorted((one, other) => one.changes - other.changes);
  return best?.known ?? null;
}

/** What a schema of valibot may hold that leads to the keys of an object. */
interface SchemaPart {
  readonly entries?: Readonly<Record<string, SchemaPart>>;
  readonly item?: SchemaPart;
  readonly wrapped?: SchemaPart;
}

/** A schema without what makes it optional; a pipe has the parts of its first schema. */
function plainSchema(schema: SchemaPart | undefined): SchemaPart | undefined {
  return schema?.wrapped === undefined ? schema : plainSchema(schema.wrapped);
}

/** How many letters have to be put in, taken out, replaced or swapped with the next to make one word of the other. */
function changesBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const at = (back: number, left: number) => (back === 0 ? row : rows[i - back])?.[j - left] ?? Infinity;
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(1, 0) + 1,
          at(0, 1) + 1,
          at(1, 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
          isSwapped ? at(2, 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? Infinity;
}

/** Longer than is ever shown: a secret cut in two would not be known for one by who shows it. */
const MAX_SHOWN = 500;

function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Ten times what a config ever needs. */
export const MAX_LEVELS = 50;

/** Whether a JSON text is nested so deeply that the recursive parser would overflow the stack. */
export function isNestedTooDeeply(text: string): boolean {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    // A token is known by its first character: brackets in a text or a comment begin none.
    const sign = text[scanner.getTokenOffset()];
    if (sign === "{" || sign === "[") level += 1;
    if (sign === "}" || sign === "]") level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}
