import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import * as v from "valibot";
import { type Config, ConfigSchema } from "./schema.ts";

/** What is wrong with a config file: where, what was expected and what was found. */
export interface ConfigProblem {
  readonly file: string;
  /** The key, dotted: `categories[0].include`; empty for the file as a whole. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
}

/** A config, or what is wrong with it. */
export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads the text of a config file; comments and trailing commas are allowed. */
export function parseConfig(text: string, file: string): ConfigResult {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error) {
    const found = `${printParseErrorCode(error.error)} at line ${lineOf(text, error.offset)}`;
    return { ok: false, problems: [{ file, key: "", expected: "JSON with comments", found }] };
  }
  if (Array.isArray(value)) return { ok: false, problems: [{ file, key: "", expected: "Object", found: show(value) }] };
  const result = v.safeParse(ConfigSchema, value, { abortPipeEarly: true });
  if (result.success) return { ok: true, config: result.output };
  return { ok: false, problems: result.issues.map((issue) => toProblem(issue, file)) };
}

/** A problem in one sentence. */
export function describeProblem({ file, key, expected, found }: ConfigProblem): string {
  return `${file}: ${key === "" ? "" : `\`${key}\`: `}expected ${expected}, found ${found}.`;
}

function toProblem(issue: v.BaseIssue<unknown>, file: string): ConfigProblem {
  const key = keyOf(issue.path ?? []);
  const named = /^expected (.*)$/s.exec(issue.message)?.[1];
  if (issue.type === "strict_object") {
    return { file, key, expected: "only known keys", found: "a key that means nothing here" };
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

function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
