import type { UnifiedCheckpoint } from "../document/types.ts";
import { type HeadRelation, readHeadSync, relateHead } from "@agent-checkpoint/git";

/** How HEAD lies to the two commits that a checkpoint remembers. */
export interface HeadComparison {
  /** The commit that HEAD is at; null where there is none. */
  readonly head: string | null;
  /** To the commit of the last save. */
  readonly sinceSave: HeadRelation;
  /** To the commit that the run was begun at, which saving does not move. */
  readonly sinceStart: HeadRelation;
}

/** How HEAD lies to the commits of a checkpoint; one that remembers none agrees with every HEAD. */
export function compareHead(
  root: string,
  { head_commit: saved, base_commit: base }: UnifiedCheckpoint,
): HeadComparison {
  const head = readHeadSync(root);
  const relation = (commit: string | null): HeadRelation => (commit === null ? "same" : relateHead(root, commit, head));
  const sinceSave = relation(saved);
  return { head, sinceSave, sinceStart: base === saved ? sinceSave : relation(base) };
}

/** What is to be said of a HEAD that has moved; null where it has not. */
export function describeHead(
  { head_commit: saved, base_commit: base }: UnifiedCheckpoint,
  { head, sinceSave, sinceStart }: HeadComparison,
): string | null {
  if (sinceSave !== "same") return `saved at ${short(saved)}, and HEAD (${short(head)}) ${WORDS[sinceSave]}`;
  if (sinceStart !== "same") return `begun at ${short(base)}, and HEAD (${short(head)}) ${WORDS[sinceStart]}`;
  return null;
}

const WORDS: Readonly<Record<Exclude<HeadRelation, "same">, string>> = {
  ahead: "is ahead of it",
  behind: "is behind it",
  diverged: "has diverged from it",
  unknown: "lies in an unknown relation to it",
};

function short(commit: string | null): string {
  return commit?.slice(0, 7) ?? "no commit";
}
