import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoreLayout } from "../store/store-layout.ts";
import { type Drafts, writeDrafts } from "../store/write-drafts.ts";
import { IDENTITY } from "./import-stream.ts";
import { looseCommit, looseFile } from "./loose-object.ts";
import { stashMessages, stashRef } from "./stash-names.ts";

/** A stash-shaped commit that exists, taken apart, so that another one of the same state can be made without git. */
export interface StashParts {
  /** The checkpoint whose ref keeps them. */
  readonly id: string;
  readonly oid: string;
  readonly tree: string;
  /** HEAD, the index and, if there are any, the untracked files. */
  readonly parents: readonly string[];
  readonly assumptions: readonly string[];
}

export interface RepeatRequest {
  readonly layout: StoreLayout;
  readonly parts: StashParts;
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/** A commit that is written and not there yet. */
export interface RepeatedCommit {
  readonly oid: string;
  /** It and its ref. */
  readonly drafts: Drafts;
}

/**
 * The commit of a new checkpoint over the tree and the parents of an earlier one that is kept, as `git fast-import` would
 * write it.
 */
export function repeatStashCommit({ layout, parts, id, reason, now }: RepeatRequest): RepeatedCommit {
  const repository = layout.stashRepository;
  const who = `${IDENTITY} ${Math.floor(now.getTime() / 1000)} +0000`;
  const { files: message } = stashMessages(id, reason);
  const format = parts.oid.length === 64 ? "sha256" : "sha1";
  const commit = looseCommit({ tree: parts.tree, parents: parts.parents, who, message }, format);
  const ref = [join(repository, stashRef(id, "files")), `${commit.oid}\n`] as const;
  const drafts = writeDrafts([looseFile(join(repository, "objects"), commit), ref], layout.tmp);
  return { oid: commit.oid, drafts };
}

/** Whether a commit can be repeated: refs are files here, and the one that keeps its parts is still there. */
export function isStashKept({ stashRepository }: StoreLayout, { id, oid }: StashParts): boolean {
  try {
    if (existsSync(join(stashRepository, "reftable"))) return false;
    return readFileSync(join(stashRepository, stashRef(id, "files")), "utf8") === `${oid}\n`;
  } catch {
    return false;
  }
}
