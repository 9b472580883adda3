import { listManifests, loadTree } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { SafetyError } from "../trouble.ts";

/** What the checkpoints that stay need. */
export interface Needed {
  readonly contents: ReadonlySet<string>;
  readonly trees: ReadonlySet<string>;
  /** The checkpoints that are damaged: they may need anything. */
  readonly unknown: readonly string[];
}

/** What the checkpoints of a store need, but for those that go. */
export function neededBy(layout: StoreLayout, gone: readonly string[]): Needed {
  const contents = new Set<string>();
  const trees = new Set<string>();
  const unknown: string[] = [];
  for (const found of listManifests(layout)) {
    if (gone.includes(found.id)) continue;
    try {
      if ("damage" in found) throw new SafetyError("damaged", found.damage);
      for (const { sha256 } of loadTree(layout, found.manifest)) if (sha256 !== null) contents.add(sha256);
      trees.add(found.manifest.tree.slice("sha256:".length));
    } catch (error) {
      if (!(error instanceof SafetyError)) throw error;
      unknown.push(found.id);
    }
  }
  return { contents, trees, unknown };
}
