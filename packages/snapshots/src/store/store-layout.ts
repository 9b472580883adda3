import { createHash } from "node:crypto";
import { join } from "node:path";
import { isId } from "../manifest/checkpoint-id.ts";
import { SafetyError } from "../trouble.ts";

/** Where things lie in a store. */
export interface StoreLayout {
  readonly folder: string;
  readonly lock: string;
  /** The bare repository with a commit and a ref per snapshot. */
  readonly repository: string;
  /** A private index per work tree, and what it does not tell of the files; may be deleted at any time. */
  readonly indexes: string;
  /** What a running restore is about to do. */
  readonly journals: string;
  /** A mark per pinned snapshot. */
  readonly pins: string;
  /** Half-made things; whatever lies here without a living owner is swept. */
  readonly tmp: string;
  /** What agents are known to have written. */
  readonly writes: string;
  /** How many snapshots were ever made: the order of their making, whatever the clock did. */
  readonly counter: string;
}

/** The layout of the store in a folder. */
export function layoutOf(folder: string): StoreLayout {
  return {
    folder,
    lock: join(folder, "lock"),
    repository: join(folder, "snapshots.git"),
    indexes: join(folder, "indexes"),
    journals: join(folder, "journals"),
    pins: join(folder, "pins"),
    tmp: join(folder, "tmp"),
    writes: join(folder, "writes"),
    counter: join(folder, "counter"),
  };
}

/** The folders that every store has beside its repository. */
export function foldersOf({ indexes, journals, pins, tmp, writes }: StoreLayout): readonly string[] {
  return [indexes, journals, pins, tmp, writes];
}

/** The folder of the refs: the name of each is the id of a snapshot. */
export function refsOf({ repository }: StoreLayout): string {
  return join(repository, "refs", "snapshots");
}

/** The ref of one snapshot; a text that is no id never becomes one. */
export function refOf(id: string): string {
  if (isId(id)) return `refs/snapshots/${id}`;
  throw new SafetyError(
    "bad-input",
    `\`${id}\` is not the id of a snapshot.`,
    "Ids look like chk_20310131_120000_a1b2c3.",
  );
}

/** A file name for what belongs to one root. */
export function nameOfRoot(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 32);
}
