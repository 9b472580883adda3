import { join } from "node:path";
import { isId } from "../manifest/checkpoint-id.ts";
import { SafetyError } from "../trouble.ts";

/** Where things lie in a store. */
export interface StoreLayout {
  readonly folder: string;
  readonly lock: string;
  /** Contents, as packs with an index beside each. */
  readonly packs: string;
  /** Canonical streams by their own hash. */
  readonly trees: string;
  /** A folder per checkpoint, with its manifest. */
  readonly checkpoints: string;
  /** What a running restore is about to do. */
  readonly journals: string;
  /** Half-made things; whatever lies here without a living owner is swept. */
  readonly tmp: string;
  /** What was known of files by their times and sizes; may be deleted at any time. */
  readonly cache: string;
  /** What agents are known to have written. */
  readonly writes: string;
  /** The repository that holds the stash-shaped commits. */
  readonly stashRepository: string;
}

/** The layout of the store in a folder. */
export function layoutOf(folder: string): StoreLayout {
  return {
    folder,
    lock: join(folder, "lock"),
    packs: join(folder, "packs"),
    trees: join(folder, "trees"),
    checkpoints: join(folder, "checkpoints"),
    journals: join(folder, "journals"),
    tmp: join(folder, "tmp"),
    cache: join(folder, "cache"),
    writes: join(folder, "writes"),
    stashRepository: join(folder, "stash.git"),
  };
}

/** The folders that every store has. */
export function foldersOf(layout: StoreLayout): readonly string[] {
  const { packs, trees, checkpoints, journals, tmp, cache, writes } = layout;
  return [packs, trees, checkpoints, journals, tmp, cache, writes];
}

/** The folder of one checkpoint; a text that is no id never becomes a path. */
export function checkpointFolder(layout: StoreLayout, id: string): string {
  if (!isId(id))
    throw new SafetyError(
      "bad-input",
      `\`${id}\` is no id of a checkpoint.`,
      "Ids look like chk_20310131_120000_a1b2c3.",
    );
  return join(layout.checkpoints, id);
}
