import type { Edit, Node } from "jsonc-parser";
import { hasLineBreak, indentAt, type Layout } from "./layout.ts";
import { endOf, readTail } from "./tail.ts";

/** What is to be added to an object or a list; the key is null in a list. */
export interface Child {
  readonly key: string | null;
  readonly value: unknown;
}

/**
 * The edits that add a child at the end of an object or a list, laid out as its neighbours are.
 * All that is added can be told from what was there: `removeChild` takes out these very characters.
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
