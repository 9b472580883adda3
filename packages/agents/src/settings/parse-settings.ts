import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** Why a settings file cannot be worked with, and where. */
export interface SettingsProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}

/** A settings file as a tree over its text; the tree is null if the text is blank. */
export type ParsedSettings =
  | { readonly ok: true; readonly root: Node | null }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** Parses a settings file; comments and trailing commas are allowed, and what is ambiguous or of another shape is not. */
export function parseSettings(text: string): ParsedSettings {
  if (text.trim() === "") return { ok: true, root: null };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const expected = EXPECTED[error === undefined ? "" : printParseErrorCode(error.error)] ?? "JSON";
    const offset = error?.offset ?? 0;
    return problemAt(text, offset, { expected, found: wordAt(text, offset) });
  }
  const wrong = firstOddShape(root);
  return wrong === null ? { ok: true, root } : problemAt(text, wrong.node.offset, wrong);
}

/** The value of a property, and its node; undefined if there is none. */
export function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** The line and column of a place in a text, counted from 1. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split(/\r\n|\r|\n/).length, column: offset - Math.max(...lineBreaks(before)) };
}

interface OddShape {
  readonly node: Node;
  readonly expected: string;
  readonly found: string;
}

/** The first place that does not have the shape of settings with hooks. */
function firstOddShape(root: Node): OddShape | null {
  const hooks = root.type === "object" ? propertyOf(root, "hooks") : undefined;
  return (
    oddType(root, "object", "the file") ??
    repeatedKey(root, "the file") ??
    (hooks === undefined ? null : (oddType(hooks, "object", "`hooks`") ?? repeatedKey(hooks, "`hooks`")))
  );
}

function oddType(node: Node, type: "object" | "array", where: string): OddShape | null {
  if (node.type === type) return null;
  return { node, expected: `${where} to be ${NOUNS[type]}`, found: NOUNS[node.type] ?? node.type };
}

function repeatedKey(object: Node, where: string): OddShape | null {
  const seen = new Set<unknown>();
  for (const { children } of object.children ?? []) {
    const key = children?.[0];
    if (key !== undefined && seen.has(key.value)) {
      return { node: key, expected: `each key of ${where} once`, found: `"${String(getNodeValue(key))}" again` };
    }
    seen.add(key?.value);
  }
  return null;
}

/** What some editors put before a text. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** The types of JSON in a sentence. */
export const NOUNS: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  null: "null",
};

/** What the parser expected at the place of an error. */
const EXPECTED: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "a colon",
  CommaExpected: "a comma",
  CloseBraceExpected: "a closing }",
  CloseBracketExpected: "a closing ]",
  EndOfFileExpected: "the end of the file",
  UnexpectedEndOfComment: "the end of the comment",
  UnexpectedEndOfString: "the end of the string",
};

const MAX_FOUND = 30;

/** The text at an offset, cut to fit into a sentence. */
function wordAt(text: string, offset: number): string {
  const [word = ""] = /^\S*/.exec(text.slice(offset)) ?? [];
  if (word === "") return "the end of the file";
  return word.length > MAX_FOUND ? `${word.slice(0, MAX_FOUND - 1)}…` : word;
}

function problemAt(
  text: string,
  offset: number,
  { expected, found }: { readonly expected: string; readonly found: string },
): ParsedSettings {
  return { ok: false, problem: { ...positionAt(text, offset), expected, found } };
}

function lineBreaks(text: string): readonly number[] {
  return [text.lastIndexOf("\n"), text.lastIndexOf("\r")];
}
