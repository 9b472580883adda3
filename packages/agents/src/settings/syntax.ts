import { BYTE_ORDER_MARK, positionAt, type SettingsProblem } from "./parse-settings.ts";

/** What the agent's own parser of settings takes beyond JSON. */
export interface SettingsSyntax {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** What some editors put before a text. */
  readonly byteOrderMark: boolean;
}

/** The first place in a settings file that we can read but the agent cannot; null if there is none. */
export function findForeignSyntax(text: string, syntax: SettingsSyntax): SettingsProblem | null {
  const [first] = listForeign(text, syntax);
  if (first === undefined) return null;
  const expected = syntax.comments ? "JSON with comments" : "plain JSON";
  return { ...positionAt(text, first.offset), expected, found: NAMES[first.text] ?? "a comment" };
}

const NAMES: Readonly<Record<string, string>> = { ",": "a trailing comma", [BYTE_ORDER_MARK]: "a byte order mark" };

/** A settings file without what the agent cannot read in it; the rest is unchanged. */
export function mendSyntax(text: string, syntax: SettingsSyntax): string {
  let mended = text;
  for (const { offset, text: piece } of listForeign(text, syntax).toReversed()) {
    const before = mended.slice(0, offset);
    const after = mended.slice(offset + piece.length);
    const indent = /(?:^|[\r\n])([ \t]*)$/.exec(before)?.[1];
    const lineEnd = /^[ \t]*(?:\r\n|\r|\n)/.exec(after)?.[0];
    if (piece !== "," && indent !== undefined && lineEnd !== undefined) {
      // A comment on lines of its own is removed with those lines.
      mended = before.slice(0, before.length - indent.length) + after.slice(lineEnd.length);
    } else mended = (lineEnd === undefined ? before : before.replace(/[ \t]+$/, "")) + after;
  }
  return mended;
}

interface Piece {
  readonly offset: number;
  readonly text: string;
}

/** Strings, comments, commas, and what else stands between white space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\/|,|[\]}]|[^\s,"/\]}]+/g;

function listForeign(text: string, { comments, trailingCommas, byteOrderMark }: SettingsSyntax): readonly Piece[] {
  const isMarked = !byteOrderMark && text.startsWith(BYTE_ORDER_MARK);
  const pieces: Piece[] = isMarked ? [{ offset: 0, text: BYTE_ORDER_MARK }] : [];
  let comma: Piece | null = null;
  for (const { 0: token, index: offset } of text.matchAll(TOKEN)) {
    if (token.startsWith("/")) {
      if (!comments) pieces.push({ offset, text: token });
      continue;
    }
    if (/^[\]}]/.test(token) && comma !== null && !trailingCommas) pieces.push(comma);
    comma = token === "," ? { offset, text: token } : null;
  }
  return pieces.toSorted((one, other) => one.offset - other.offset);
}
