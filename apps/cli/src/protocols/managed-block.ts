import { markdownLines } from "./markdown-lines.ts";

/** A text with our part in it, or why it is left as it is. */
export type Managed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** A text, and the name of our part. */
export interface Part {
  readonly text: string;
  readonly name: string;
}

/** Puts our part into a text: in the place of the one that is there, otherwise at the end. All else stays, to the byte. */
export function putPart(part: Part, body: string): Managed {
  const found = findPart(part);
  if (found.status === "broken") return { ok: false, problem: found.problem };
  const end = part.text.includes("\r\n") ? "\r\n" : "\n";
  const [begin, last] = marksOf(part.name);
  const block = [begin, ...body.trim().split("\n"), last].join(end);
  if (found.status === "there") return { ok: true, text: found.before + block + found.after };
  const gap = part.text.trim() === "" ? "" : part.text.endsWith("\n") ? end : end + end;
  return { ok: true, text: `${part.text}${gap}${block}${end}` };
}

/** A text without our part. */
export function withoutPart(part: Part): string {
  const found = findPart(part);
  return found.status === "there" ? found.before + found.after : part.text;
}

type Found =
  | { readonly status: "absent" }
  | { readonly status: "there"; readonly before: string; readonly after: string }
  | { readonly status: "broken"; readonly problem: string };

function marksOf(name: string): [string, string] {
  return [`<!-- agent-checkpoint:${name} begin -->`, `<!-- agent-checkpoint:${name} end -->`];
}

/** Our part begins and ends with a line of its own, outside of code. */
function findPart({ text, name }: Part): Found {
  const [begin, last] = marksOf(name);
  const lines = markdownLines(text);
  const places = (mark: string) => lines.flatMap((line, at) => (!line.isCode && line.text.trim() === mark ? [at] : []));
  const [begins, lasts] = [places(begin), places(last)];
  const [from, to] = [begins[0], lasts[0]];
  if (from === undefined && to === undefined) return { status: "absent" };
  if (from === undefined || to === undefined || begins.length > 1 || lasts.length > 1 || to < from)
    return { status: "broken", problem: `its marks \`${begin}\` and \`${last}\` do not make one pair` };
  return { status: "there", before: text.slice(0, startOf(text, from)), after: text.slice(endOf(text, to)) };
}

/** Where a line begins. */
function startOf(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count += 1) at = text.indexOf("\n", at) + 1;
  return at;
}

/** Where a line ends, without its line break. */
function endOf(text: string, line: number): number {
  const rest = text.slice(startOf(text, line));
  return startOf(text, line) + (/\r?\n/.exec(rest)?.index ?? rest.length);
}
