import type { Stats } from "node:fs";
import { applyPatch, type FileEdit, type WrittenFile } from "./session-writes.ts";

/** What is known of a changed file that a session wrote to. */
export interface FileFacts {
  readonly written: WrittenFile;
  readonly committed: string | null;
  readonly live: string | null;
  /** The staged text, if it differs from the commit and from the disk; null otherwise. */
  readonly staged: string | null;
  /** The file's own dates; null if it is gone. */
  readonly stats: Pick<Stats, "mtimeMs"> | null;
  /** Whether it was changed already when the session began; null if unknown. */
  readonly wasDirty: boolean | null;
}

/** Why a file is not the agent's alone. */
export type NotOwn = "mixed" | "staged" | "unverified";

/** Why a change is not the agent's alone; null if it is. */
export function judgeFile(facts: FileFacts): NotOwn | null {
  const { written, committed, live, staged } = facts;
  const explained = explainText({ ...written, committed, live });
  if (explained.isOwn) {
    const isOwnStage = staged === null || explained.states.some((state) => isSameText(state, staged));
    return isOwnStage ? null : "staged";
  }
  if (staged !== null) return "staged";
  if (written.edits.at(-1)?.kind !== "unknown") return "mixed";
  return judgeByTime(facts);
}

/**
 * A command's changes have no text to replay: the file's date must lie within the command, and it must have been clean
 * before.
 */
function judgeByTime({ written: { lastAt, nextAt }, committed, live, stats, wasDirty }: FileFacts): NotOwn | null {
  if (wasDirty === true) return "mixed";
  if (live === null) return null;
  // A file that is not committed and was not there before is the command's own.
  if (wasDirty === null && committed !== null) return "unverified";
  if (lastAt === null || stats === null) return "unverified";
  const isAfter = stats.mtimeMs >= lastAt.getTime() - CLOCK_SLACK_MS;
  const isBefore = nextAt === null || stats.mtimeMs <= nextAt.getTime() + CLOCK_SLACK_MS;
  return isAfter && isBefore ? null : "mixed";
}

/** A transcript records a call a moment before or after it runs. */
const CLOCK_SLACK_MS = 1000;

/** What explains the state of a file. */
interface TextFacts {
  /** The text in the last commit; null if the file is not in it. */
  readonly committed: string | null;
  /** The text on disk; null if the file is gone. */
  readonly live: string | null;
  /** The agent's edits of the whole session, the oldest first. */
  readonly edits: readonly FileEdit[];
  /** Whether a name in a patch is this file's. */
  readonly isFile: (name: string) => boolean;
}

/** Whether the way from the commit to the disk is the agent's alone, with the states in between. */
type TextExplanation =
  | { readonly isOwn: true; readonly states: readonly (string | null)[] }
  | { readonly isOwn: false; readonly hasUnknown: boolean };

/**
 * Replays the agent's edits on the committed text: if the last edits, from some point on, give the text on disk, no one else
 * has changed it in between. Earlier edits are in the commit already.
 */
export function explainText({ committed, live, edits, isFile }: TextFacts): TextExplanation {
  const recent = edits.slice(-MAX_EDITS);
  for (let from = recent.length - 1; from >= 0; from -= 1) {
    const states = replay(committed, recent.slice(from), isFile);
    if (states !== null && isSameText(states.at(-1) ?? null, live))
      return { isOwn: true, states: [committed, ...states] };
  }
  return { isOwn: false, hasUnknown: edits.some(({ kind }) => kind === "unknown") };
}

const MAX_EDITS = 200;

/** Whether two texts are the same but for the kind of their line breaks, which agents keep as they find them. */
export function isSameText(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || withoutReturns(one) === withoutReturns(other);
}

/** The states after each edit; null if one does not fit. */
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
