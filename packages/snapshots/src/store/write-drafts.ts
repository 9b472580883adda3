import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeDraft } from "./write-whole.ts";

/** Files that lie under temporary names until it is certain that they are wanted. */
export interface Drafts {
  /** What must reach the disk before they get their names. */
  readonly paths: readonly string[];
  /** Gives them their names, in the order they were given in. */
  readonly settle: () => void;
  readonly discard: () => void;
}

/** Writes files that are yet to be decided on; the folders they will lie in are made. */
export function writeDrafts(
  files: readonly (readonly [path: string, content: string | Buffer])[],
  tmp: string,
): Drafts {
  const drafts = files.map(([path, content]) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return { path, draft: writeDraft(path, content, tmp) };
  });
  return {
    paths: drafts.map(({ draft }) => draft),
    settle: () => {
      for (const { path, draft } of drafts) renameSync(draft, path);
    },
    discard: () => {
      for (const { draft } of drafts) rmSync(draft, { force: true });
    },
  };
}
