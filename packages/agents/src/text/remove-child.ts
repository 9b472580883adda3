import type { Edit, Node } from "jsonc-parser";
import { hasLineBreak } from "./layout.ts";
import { endOf, readTail } from "./tail.ts";

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
