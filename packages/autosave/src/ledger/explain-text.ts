import { applyPatch } from "./apply-patch.ts";
import type { FileEdit } from "./edits-of.ts";

/** What a file's state is to be explained by. */
export interface TextFacts {
  /** The text in the last commit; null where the file is not in it. */
  readonly committed: string | null;
  /** The text on disk; null where the file is gone. */
  readonly live: string | null;
  /** The agent's edits of the whole session, the oldest first. */
  readonly edits: readonly FileEdit[];
  /** Whether a name in a patch is this file's. */
  readonly isFile: (name: string) => boolean;
}

/** Whether the way from the commit to the disk is the agent's alone, with the states in between. */
export type TextExplanation =
  | { readonly isOwn: true; readonly states: readonly (string | null)[] }
  | { readonly isOwn: false; readonly hasUnknown: boolean };

/**
 * Replays the agent's edits on the committed text: where some last part of them gives what is on disk, nothing in between
 * is anybody else's. Edits before that part are in the commit already.
 */
export function explainText({ committed, live, edits, isFile }: TextFacts): TextExplanation {
  const recent = edits.slice(-MOST_EDITS);
  for (let from = recent.length - 1; from >= 0; from -= 1) {
    const states = replay(committed, recent.slice(from), isFile);
    if (states !== null && isSameText(states.at(-1) ?? null, live))
      return { isOwn: true, states: [committed, ...states] };
  }
  return { isOwn: false, hasUnknown: edits.some(({ kind }) => kind === "unknown") };
}

const MOST_EDITS = 200;

/** Whether two texts are the same but for the kind of their line breaks, which agents keep as they find them. */
export function isSameText(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || withoutReturns(one) === withoutReturns(other);
}

/** The states after each edit; null where one does not fit. */
function replay(
  start: string | null,
  edits: readonly FileEdit[],
  isFile: TextFacts["isFile"],
): readonly (string | null)[] | null {
  const states: (string | null)[] = [];
  let text = start === null ? null : withoutReturns(start);
  for (const edit of edits) {
    const next = apply(text, edit, isFile);
    if (next === undefined) return null;
    text = next;
    states.push(text);
  }
  return states;
}

function apply(text: string | null, edit: FileEdit, isFile: TextFacts["isFile"]): string | null | undefined {
  switch (edit.kind) {
    case "write":
      return withoutReturns(edit.text);
    case "patch":
      return applyPatch(edit.patch, isFile, text);
    case "replace": {
      const old = withoutReturns(edit.old);
      if (text === null || !text.includes(old)) return undefined;
      const parts = text.split(old);
      if (!edit.isEverywhere && parts.length > 2) return undefined;
      return parts.join(withoutReturns(edit.now));
    }
    default:
      return undefined;
  }
}

function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
