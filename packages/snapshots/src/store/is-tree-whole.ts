import { createHash } from "node:crypto";
import { treePath } from "./load-checkpoint.ts";
import { readInParts } from "./read-in-parts.ts";
import type { StoreLayout } from "./store-layout.ts";

/** Whether a tree is in the store with the hash that it is named by. */
export function isTreeWhole(layout: StoreLayout, tree: string): boolean {
  const digest = createHash("sha256");
  try {
    readInParts(treePath(layout, tree), (part) => void digest.update(part));
  } catch {
    return false;
  }
  return `sha256:${digest.digest("hex")}` === tree;
}
