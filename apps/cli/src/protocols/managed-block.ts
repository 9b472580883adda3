/** A text with our part in it, or why it is left as it is. */
type Managed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

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

/** A line of a Markdown text. */
interface MarkdownLine {
  readonly text: string;
  /** Whether it stands between fences, where a heading is no heading. */
  readonly isCode: boolean;
}

/** The lines of a Markdown text, without their ends. */
export function markdownLines(text: string): MarkdownLine[] {
  let fence: string | null = null;
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null) {
      fence = mark ?? null;
      return { text: line, isCode: mark !== undefined };
    }
    const isEnd = mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (isEnd) fence = null;
    return { text: line, isCode: true };
  });
}

/** The title of a heading and how deep it lies; null for any other line. */
export function headingOf({ text, isCode }: MarkdownLine): { readonly depth: number; readonly title: string } | null {
  const [, marks = "", title = ""] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) ?? [];
  return isCode || marks === "" ? null : { depth: marks.length, title };
}

/** The anchor that a heading gets, as GitHub writes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** The sections that say what the protocol adds; they come in whatever a document says already. */
const ADDED: ReadonlySet<string> = new Set(["mode", "previous-summary", "enforcement"]);

/**
 * What of the handoff protocol goes into a document: all of it into an empty one, otherwise what the document has no section for.
 * A section of ours whose title is taken gets a name of its own, so that links to the other one stay valid.
 */
export function handoffBody(protocol: string, others: string): string {
  if (others.trim() === "") return protocol;
  const taken = new Set(
    markdownLines(others).flatMap((line) => {
      const heading = headingOf(line);
      return heading === null ? [] : [anchorOf(heading.title)];
    }),
  );
  return sectionsOf(protocol)
    .filter(({ anchor }) => ADDED.has(anchor) || !taken.has(anchor))
    .map(({ title, anchor, body }) => `## ${taken.has(anchor) ? `${title} (agent-checkpoint)` : title}\n\n${body}`)
    .join("\n\n");
}

/**
 * A document whose own request schema has today's fields: `previous_findings` is called `previous_summary`, and `mode` stands
 * after `phase`, in its JSON and in its table. Everything outside of that section stays, to the byte.
 */
export function extendRequestSchema(text: string): string {
  const lines = text.split("\n");
  const headings = markdownLines(text).map(headingOf);
  const start = headings.findIndex((heading) => heading !== null && anchorOf(heading.title) === "request-schema");
  if (start < 0) return text;
  const depth = headings[start]?.depth ?? 0;
  const next = headings.findIndex((heading, at) => at > start && heading !== null && heading.depth <= depth);
  const end = next < 0 ? lines.length : next;
  const section = lines.slice(start, end).map((line) => line.replaceAll("previous_findings", "previous_summary"));
  const hasMode = section.some((line) => /["`]mode["`]/.test(line));
  const extended = hasMode ? section : section.flatMap((line) => [line, ...modeAfter(line)]);
  return [...lines.slice(0, start), ...extended, ...lines.slice(end)].join("\n");
}

/** The line about `mode` that follows one about `phase`, in the form of that line. */
function modeAfter(line: string): readonly string[] {
  const [, comma] = /^\s*"phase"\s*:.*?(,?)\s*$/.exec(line) ?? [];
  if (comma === ",") return [line.replace(/"phase".*,/, '"mode": "code",')];
  if (!/^\s*\|\s*`phase`\s*\|/.test(line)) return [];
  const between = Math.max(line.split("|").length - 4, 0);
  const cells = ["`mode`", ...["enum", "yes"].slice(Math.max(2 - between, 0)), "the kind of work, see Mode"];
  return [`| ${cells.join(" | ")} |${line.endsWith("\r") ? "\r" : ""}`];
}

interface Section {
  readonly title: string;
  readonly anchor: string;
  readonly body: string;
}

/** The second-level sections of a text. */
function sectionsOf(text: string): Section[] {
  const lines = markdownLines(text);
  const starts = lines.flatMap((line, at) => (headingOf(line)?.depth === 2 ? [at] : []));
  return starts.map((start, index) => {
    const [first, ...rest] = lines.slice(start, starts[index + 1]);
    const title = (first && headingOf(first)?.title) ?? "";
    const body = rest
      .map((line) => line.text)
      .join("\n")
      .trim();
    return { title, anchor: anchorOf(title), body };
  });
}
