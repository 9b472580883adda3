import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { ensureFolder } from "../files/ensure-folder.ts";
import { SafetyError } from "../trouble.ts";
import { foldersOf, type StoreLayout } from "./store-layout.ts";

/** Makes the folders of a store, readable by their owner only; a link in the place of one is refused. */
export function ensureStore(layout: StoreLayout): void {
  const { folder } = layout;
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [folder, ...foldersOf(layout)]) {
    const found = ensureFolder(path);
    if (!found.isDirectory()) throw new SafetyError("io", `${path} is not a folder.`, "Move it away and try again.");
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
}
