import type { Edit, Node } from "jsonc-parser";

/** An addition to an object or a list; the key is null in a list. */
export interface Child {
  readonly key: string | null;
  readonly value: unknown;
}

/**
 * The edits that add a child at the end of an object or a list, laid out as its neighbours are.
 * `removeChild` removes exactly the added characters.
 */
export function appendChild(
  text: string,
  container: Node,
  { child, layout }: { readonly child: Child; readonly layout: Layout },
): readonly Edit[] {
  const last = container.children?.at(-1);
  if (last === undefined) return [fillEmpty(text, container, { child, layout })];
  const { commaEnd, lineEnd } = readTail(text, endOf(last), endOf(container) - 1);
  const [separator, closing] = commaEnd === null ? [",", ""] : ["", ","];
  if (standsOnOwnLine(text, container, last)) {
    const indent = indentAt(text, last.offset);
    const content = `${layout.lineBreak}${indent}${render(child, { ...layout, indent })}${closing}`;
    // A comment on the line of the last child is about that child, and stays with it.
    return lineEnd === endOf(last)
      ? [{ offset: lineEnd, length: 0, content: separator + content }]
      : [
          { offset: endOf(last), length: 0, content: separator },
          { offset: lineEnd, length: 0, content },
        ].filter(({ content }) => content !== "");
  }
  const isLong = hasLineBreak(text.slice(last.offset, endOf(last)));
  const rendered = isLong ? render(child, { ...layout, indent: indentAt(text, endOf(last)) }) : renderOnOneLine(child);
  return [{ offset: commaEnd ?? endOf(last), length: 0, content: `${separator} ${rendered}${closing}` }];
}

/** A whole file with a value, in the layout that a new file gets. */
export function renderFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Puts a child into an empty object or list without moving what is in it.
 * A list that we make ourselves opens with a line break when it is long and with nothing when it is not; one that was
 * there before opens the other way round, which is how `removeChild` knows that it has to stay.
 */
function fillEmpty(
  text: string,
  container: Node,
  { child, layout }: { readonly child: Child; readonly layout: Layout },
): Edit {
  const offset = container.offset + 1;
  const indent = indentAt(text, container.offset);
  if (container.parent === undefined && container.length === 2) {
    const inner = indent + layout.step;
    const rendered = render(child, { ...layout, indent: inner });
    return { offset, length: 0, content: `${layout.lineBreak}${inner}${rendered}${layout.lineBreak}${indent}` };
  }
  const content = layout.isOneLine ? ` ${renderOnOneLine(child)}` : render(child, { ...layout, indent });
  return { offset, length: 0, content };
}

function standsOnOwnLine(text: string, container: Node, last: Node): boolean {
  const previous = container.children?.at(-2);
  return hasLineBreak(text.slice(previous === undefined ? container.offset : endOf(previous), last.offset));
}

function render(
  { key, value }: Child,
  { lineBreak, step, indent }: Pick<Layout, "lineBreak" | "step"> & { readonly indent: string },
): string {
  const lines = JSON.stringify(value, null, step).replaceAll("\n", lineBreak + indent);
  return key === null ? lines : `${JSON.stringify(key)}: ${lines}`;
}

function renderOnOneLine({ key, value }: Child): string {
  return key === null ? JSON.stringify(value) : `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/**
 * The edits that take a child out of its object or list, the reverse of `appendChild`.
 * An object or list that holds nothing else goes with it, unless it was there before the child was put in.
 */
export function removeChild(text: string, container: Node, child: Node): readonly Edit[] {
  const siblings = container.children ?? [];
  const index = siblings.indexOf(child);
  const before = siblings[index - 1];
  const after = siblings[index + 1];
  if (before === undefined && after === undefined) return removeOnlyChild(text, container, child);
  const { commaEnd } = readTail(text, endOf(child), after?.offset ?? endOf(container) - 1);
  const cut = cutOut(text, child.offset, commaEnd ?? endOf(child));
  if (commaEnd !== null || before === undefined) return [cut];
  const { commaEnd: separatorEnd } = readTail(text, endOf(before), child.offset);
  if (separatorEnd === null) return [cut];
  // Without a comment in between, the comma and the child are one piece.
  return separatorEnd === cut.offset
    ? [{ offset: separatorEnd - 1, length: cut.length + 1, content: "" }]
    : [{ offset: separatorEnd - 1, length: 1, content: "" }, cut];
}

function removeOnlyChild(text: string, container: Node, child: Node): readonly Edit[] {
  const opening = text.slice(container.offset + 1, child.offset);
  const { commaEnd, hasComment } = readTail(text, endOf(child), endOf(container) - 1);
  const end = commaEnd ?? endOf(child);
  const wasThere = opening === (hasLineBreak(text.slice(child.offset, endOf(child))) ? "" : " ");
  if (wasThere || hasComment || opening.trim() !== "") return [cutOut(text, child.offset, end)];
  const owner = container.parent?.type === "property" ? container.parent : container;
  if (owner.parent === undefined) {
    return [{ offset: container.offset + 1, length: container.length - 2, content: "" }];
  }
  return removeChild(text, owner.parent, owner);
}

/** Takes out a piece with the white space before it. */
function cutOut(text: string, from: number, to: number): Edit {
  const offset = text.slice(0, from).trimEnd().length;
  return { offset, length: to - offset, content: "" };
}

/** How a file is laid out: its line breaks, and what one step of indentation is. */
export interface Layout {
  readonly lineBreak: string;
  readonly step: string;
  /** Whether all of it is on one line. */
  readonly isOneLine: boolean;
}

/** Reads the layout off a text; two spaces and a line feed if it shows none. */
export function readLayout(text: string): Layout {
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  const step = /[\r\n]([ \t]+)["}\]]/.exec(text)?.[1] ?? "  ";
  return { lineBreak, step, isOneLine: !hasLineBreak(text.trim()) };
}

/** The white space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** The text between a child and the next one. */
interface Tail {
  /** Where the comma ends; null if there is none. */
  readonly commaEnd: number | null;
  /** Where the child's line ends with its comma and its comments, without the white space after them. */
  readonly lineEnd: number;
  readonly hasComment: boolean;
}

/** Reads the commas, comments and white space from one offset to another. */
function readTail(text: string, from: number, to: number): Tail {
  const parts = [...text.slice(from, to).matchAll(PART)];
  const comma = parts.find(([part]) => part === ",");
  const commaEnd = comma === undefined ? null : from + comma.index + 1;
  let lineEnd = commaEnd ?? from;
  for (const { 0: part, index } of parts) {
    if (from + index < lineEnd) continue;
    if (/^[\r\n]/.test(part)) break;
    if (isComment(part)) lineEnd = from + index + part.length;
  }
  return { commaEnd, lineEnd, hasComment: parts.some(([part]) => isComment(part)) };
}

/** Where a node ends. */
function endOf({ offset, length }: Node): number {
  return offset + length;
}

const PART = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,|[\r\n]|[^\S\r\n]+/g;

function isComment(part: string): boolean {
  return part.startsWith("/");
}
