import { blankInvisible } from "@agent-checkpoint/files";
import { HINTS } from "./hints.ts";
import { type Lead, secretLeads, valueEnd } from "./secret-leads.ts";
import { secretShapes } from "./secret-shapes.ts";

/**
 * A text without its secrets and otherwise unchanged, so that a command stays recognisable.
 * Takes time in proportion to the text; a second pass changes nothing.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST && /^[a-z-]*$/.test(text)) return text;
  let [before, clean] = [text, onePass(text)];
  // What is taken out may have hidden where another secret ends; a text without secrets is checked once.
  for (let pass = 1; clean !== before && pass < MAX_PASSES; pass += 1) [before, clean] = [clean, onePass(clean)];
  return clean;
}

const MAX_PASSES = 6;
/** A plain word that is shorter than this matches no shape and follows no name of a secret. */
const SHORTEST = 16;

function onePass(text: string): string {
  const hay = text.toLowerCase();
  // One look that spares nearly every text the others: a hook lives too short for many patterns to be compiled.
  if (!HINTS.some((hint) => hay.includes(hint))) return text;
  const isWorthTrying = ({ hints }: { readonly hints: readonly string[] }) => hints.some((hint) => hay.includes(hint));
  let clean = text;
  for (const row of secretShapes()) if (isWorthTrying(row)) clean = clean.replace(row.shape, row.instead ?? REDACTED);
  // A path without a blank or an assignment has no place for a secret.
  if (!/[\s:=]/.test(clean)) return clean;
  for (const row of secretLeads()) if (isWorthTrying(row)) clean = withoutValues(clean, row);
  return clean;
}

/** Redacts the value after each occurrence of a row's words. */
function withoutValues(text: string, { in: around, before, to, isSecret }: Lead): string {
  if (around !== undefined && !around.test(text)) return text;
  before.lastIndex = 0;
  let clean = "";
  let copied = 0;
  for (let found = before.exec(text); found !== null; found = before.exec(text)) {
    const start = before.lastIndex;
    const end = valueEnd(text, start, to === "quote" ? found.groups?.["open"] : to);
    const value = text.slice(start, end);
    if (value !== "" && !isReference(value) && isSecret?.(value) !== false) {
      clean += text.slice(copied, start) + masked(value);
      copied = end;
    }
    before.lastIndex = Math.max(end, start);
    if (before.lastIndex === found.index) before.lastIndex += 1;
  }
  return clean + text.slice(copied);
}

/** A name in the place of a secret: a variable, a substitution, a blank to fill in, or what was taken out before. */
const REFERENCES: readonly RegExp[] = [
  /^\\*"?(?:\$\w+|\$\{\w+\}|[:@/.-])+\\*"?$/,
  /^\\*'?(?:\$[A-Z_]+|\$\{[A-Z_]+\})\\*'?$/,
  /^\\*"?\$(?:\(|$)/,
  /^\\*["']?(?:<[^>]*>|\{\{[^}]*\}\}|%\w+%|\*+|\.{3}|…|\[redacted\])\\*["']?$/,
];

function isReference(value: string): boolean {
  return REFERENCES.some((shape) => shape.test(value));
}

/** The marker in the quotes that the value had. */
function masked(value: string): string {
  const [, open = "", close = ""] = /^(\\*["'])[\s\S]*?(\1)?$/.exec(value) ?? [];
  return open + REDACTED + close;
}

const MAX_LENGTH = 500;

/** A text on one line, without secrets or control characters and of bounded length, for a log. */
export function redactLine(text: string): string {
  // Secrets are looked for first: a line break ends one, a blank in its place need not.
  const line = blankInvisible(redact(text));
  const clean = redact(line);
  return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}…` : clean;
}

/** A JSON value without the secrets in its strings and names. */
export function redactJson(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactJson);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactField(name, item)]));
}

/** A string under the name of a secret is one, whatever it looks like; a path does not count as a name. */
function redactField(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !MAY_NAME_A_SECRET.test(name)) return redactJson(value);
  const field = `"${name}":${JSON.stringify(value)}`;
  const clean = redact(field);
  if (clean === field) return redact(value);
  try {
    return Object.values(JSON.parse(`{${clean}}`) as object)[0];
  } catch {
    return REDACTED;
  }
}

/** What the name of a secret has in it: the rest of the tables need not be tried, nor their patterns compiled. */
const MAY_NAME_A_SECRET = /^(?=[\w-]*(?:pass|pwd|secret|token|key|credential|auth|cookie|sig))[\w-]+$/i;

/** What replaces a secret. */
export const REDACTED = "[redacted]";
