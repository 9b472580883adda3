import { type MarkdownLine, markdownLines } from "@agent-checkpoint/files";

/** A document with the section in it, or why it was left alone. */
export type SectionUpdate =
  | { readonly ok: true; readonly bytes: Buffer; readonly was: "updated" | "adopted" | "added" | "created" }
  | { readonly ok: false; readonly problem: SectionProblem };

/** Why a document cannot be given the section. */
export type SectionProblem = "malformed-markers" | "several-sections" | "open-code-block" | "not-text" | "too-large";

/** The markers around the section, each on its own line. */
export const BEGIN = "<!-- BEGIN agent-checkpoint:last-session v1 -->";
export const END = "<!-- END agent-checkpoint:last-session -->";
const HEADING = "## Last Session";

/**
 * Puts the section into a document; null is a document that does not exist.
 *
 * Every byte outside the markers stays: the document is split at line breaks and joined again, and no text is used as a
 * pattern. A section without markers is taken over once. An ambiguous document is refused.
 */
export function updateSection(document: Buffer | null, body: string): SectionUpdate {
  if (document !== null && document.length > MAX_BYTES) return { ok: false, problem: "too-large" };
  if (document !== null && isOtherText(document)) return { ok: false, problem: "not-text" };
  // One character a byte, so that nothing is lost on the way.
  const text = document?.toString("latin1") ?? "";
  const place = findPlace(text);
  if ("problem" in place) return { ok: false, problem: place.problem };
  const lineBreak = /\r?\n/.exec(text)?.[0] ?? "\n";
  const section = Buffer.from([BEGIN, HEADING, "", ...body.split("\n"), END].join(lineBreak), "utf8").toString(
    "latin1",
  );
  const before = text.slice(0, place.start);
  const after = text.slice(place.end);
  const isInPlace = place.was === "updated";
  const gap = isInPlace ? "" : gapBefore(before, lineBreak);
  const gapBehind = isInPlace ? "" : gapAfter(after, lineBreak);
  const updated = `${before}${gap}${section}${lineBreak}${gapBehind}${after}`;
  // The next reader must find exactly this section: an open code block would hide it forever.
  const found = findPlace(updated);
  if (!("was" in found) || found.was !== "updated" || updated.slice(found.start, found.end).trimEnd() !== section)
    return { ok: false, problem: "open-code-block" };
  return { ok: true, bytes: Buffer.from(updated, "latin1"), was: document === null ? "created" : place.was };
}

/** The text between the markers, and the bytes around them; null if there is no single, well-formed section. */
export function readSection(document: Buffer): { readonly body: string; readonly around: Buffer } | null {
  const text = document.toString("latin1");
  const place = findPlace(text);
  if ("problem" in place || place.was !== "updated") return null;
  const lines = Buffer.from(text.slice(place.start, place.end), "latin1").toString("utf8").trimEnd().split(/\r?\n/);
  const around = Buffer.from(text.slice(0, place.start) + text.slice(place.end), "latin1");
  return { body: lines.slice(3, -1).join("\n"), around };
}

const MAX_BYTES = 1024 * 1024;

function isOtherText(document: Buffer): boolean {
  return (
    document.includes(0) ||
    (document[0] === 0xff && document[1] === 0xfe) ||
    (document[0] === 0xfe && document[1] === 0xff)
  );
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly was: "updated" | "adopted" | "added";
}

/** The position of the section, existing or new. */
function findPlace(text: string): Place | { readonly problem: SectionProblem } {
  const { lines, isOpen } = markdownLines(text);
  const prose = lines.filter(({ isCode }) => !isCode);
  const markers = prose.filter(({ text: line }) => MARKER.test(line));
  const [first, last, more] = markers;
  if (first !== undefined) {
    if (first.text !== BEGIN || last?.text !== END || more !== undefined) return { problem: "malformed-markers" };
    return { start: first.start, end: last.next, was: "updated" };
  }
  if (isOpen) return { problem: "open-code-block" };
  const sections = prose.filter(({ text: line }) => OLD_HEADING.test(line));
  const [old, another] = sections;
  if (another !== undefined) return { problem: "several-sections" };
  if (old === undefined) return { start: text.length, end: text.length, was: "added" };
  return { start: old.start, end: endOfSection(prose, old) ?? text.length, was: "adopted" };
}

/** Anything that looks like our marker, in any version or spelling. */
const MARKER = /^\s*<!--\s*(?:BEGIN|END)\s+agent-checkpoint:last-session\b.*$/i;
const OLD_HEADING = /^ {0,3}##[ \t]+Last Session[ \t]*#*$/;

/** A section ends at the next heading of its level or above. */
function endOfSection(prose: readonly MarkdownLine[], heading: MarkdownLine): number | null {
  return prose.find(({ start, text }) => start > heading.start && /^ {0,3}##?(?:[ \t]|$)/.test(text))?.start ?? null;
}

/** An empty line before the section. */
function gapBefore(before: string, lineBreak: string): string {
  if (before === "" || /\n\r?\n$/.test(before)) return "";
  return before.endsWith("\n") ? lineBreak : `${lineBreak}${lineBreak}`;
}

function gapAfter(after: string, lineBreak: string): string {
  return after === "" || /^\r?\n/.test(after) || !/^ {0,3}#/.test(after) ? "" : lineBreak;
}
