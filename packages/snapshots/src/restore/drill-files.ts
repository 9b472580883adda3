import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../files/entry-at.ts";
import { createLooker } from "../files/look-at.ts";
import { absentAt, type Entry } from "../manifest/entry.ts";
import type { DrillRequest } from "../kinds/kind.ts";
import { applyFiles } from "./apply-files.ts";

/** Brings files back into an empty folder, by the code that brings them back into their own, and looks at the result. */
export async function drillFiles({ folder, entries, contents, progress }: DrillRequest): Promise<readonly Entry[]> {
  const root = join(folder, "files");
  const staging = join(folder, "staging");
  mkdirSync(root, { mode: 0o700 });
  mkdirSync(staging, { mode: 0o700 });
  const changes = entries.map((to) => ({ from: absentAt(to.path), to }));
  await applyFiles({
    root,
    changes,
    contents,
    staging,
    isDurable: false,
    progress,
    step: () => undefined,
    isResumed: false,
  });
  const { look } = createLooker(root);
  return entries.map(({ path }) => entryAt(root, path, look));
}
