import { type MarkdownLine, markdownLines } from "@agent-checkpoint/files";

/** Our part of a document: the text between two marks with its name. */
export type FoundPart =
  | { readonly status: "absent" }
  | { readonly status: "there"; readonly before: string; readonly after: string }
  | { readonly status: "broken"; readonly problem: string };

/** Finds our part of a text. Its marks are lines of their own, outside code blocks. */
export function findPart(text: string, name: string): FoundPart {
  const [begin, end] = marksOf(name);
  const lines = markdownLines(text).lines.filter(({ isCode }) => !isCode);
  const [from, secondFrom] = lines.filter((line) => line.text.trim() === begin);
  const [to, secondTo] = lines.filter((line) => line.text.trim() === end);
  if (from === undefined && to === undefined) return { status: "absent" };
  const isPair = from !== undefined && to !== undefined && from.start < to.start;
  if (!isPair || secondFrom !== undefined || secondTo !== undefined)
    return { status: "broken", problem: `its marks \`${begin}\` and \`${end}\` do not make one pair` };
  return { status: "there", before: text.slice(0, from.start), after: text.slice(to.end) };
}

function marksOf(name: string): readonly [begin: string, end: string] {
  return [`<!-- agent-checkpoint:${name} begin -->`, `<!-- agent-checkpoint:${name} end -->`];
}

/** Puts our part into a text: in place of the previous one, otherwise at the end. The rest stays the same, to the byte. */
export function putPart(
  text: string,
  name: string,
  { part, body }: { readonly part: Exclude<FoundPart, { readonly status: "broken" }>; readonly body: string },
): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const [begin, end] = marksOf(name);
  const block = [begin, ...body.trim().split("\n"), end].join(newline);
  if (part.status === "there") return part.before + block + part.after;
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  return `${text}${gap}${block}${newline}`;
}

interface Heading {
  readonly depth: number;
  readonly title: string;
  /** As GitHub writes it. */
  readonly anchor: string;
}

/** A line with its heading; null if it is not one. */
interface HeadedLine extends MarkdownLine {
  readonly heading: Heading | null;
}

export function headedLines(text: string): readonly HeadedLine[] {
  return markdownLines(text).lines.map((line) => ({ ...line, heading: line.isCode ? null : headingOf(line.text) }));
}

function headingOf(line: string): Heading | null {
  const [, marks = "", title = ""] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? [];
  const anchor = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return marks === "" ? null : { depth: marks.length, title, anchor: anchor.trim().replaceAll(/\s/g, "-") };
}

/** The sections that the protocol adds, whatever a document already says. */
const ADDED: ReadonlySet<string> = new Set(["mode", "previous-summary", "enforcement"]);

/**
 * The part of the handoff protocol for a document: all of it for an empty one, otherwise the sections that the document lacks.
 * A section of ours whose title is taken gets another one, so that links to the document's own section stay valid.
 */
export function handoffBody(protocol: string, others: string): string {
  if (others.trim() === "") return protocol;
  const taken = new Set(headedLines(others).map(({ heading }) => heading?.anchor));
  const lines = headedLines(protocol);
  const starts = lines.filter(({ heading }) => heading?.depth === 2);
  const sections = starts.flatMap(({ heading, end }, index) => {
    if (heading === null || (taken.has(heading.anchor) && !ADDED.has(heading.anchor))) return [];
    const title = taken.has(heading.anchor) ? `${heading.title} (agent-checkpoint)` : heading.title;
    return [`## ${title}\n\n${protocol.slice(end, starts[index + 1]?.start).trim()}`];
  });
  return sections.join("\n\n");
}

/**
 * A document whose own request schema has the current fields: `previous_findings` becomes `previous_summary`, and `mode`
 * follows `phase`, in its JSON and in its table. Everything outside that section stays the same, to the byte.
 */
export function extendRequestSchema(text: string): string {
  const headings = headedLines(text).filter(({ heading }) => heading !== null);
  const first = headings.findIndex(({ heading }) => heading?.anchor === "request-schema");
  const { start, heading } = headings[first] ?? {};
  if (start === undefined) return text;
  const depth = heading?.depth ?? 0;
  const end = headings.slice(first + 1).find((line) => (line.heading?.depth ?? 0) <= depth)?.start ?? text.length;
  const section = text.slice(start, end).replaceAll("previous_findings", "previous_summary");
  const hasMode = /["`]mode["`]/.test(section);
  const lines = section.split("\n").flatMap((line) => (hasMode ? [line] : [line, ...modeAfter(line)]));
  return text.slice(0, start) + lines.join("\n") + text.slice(end);
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
