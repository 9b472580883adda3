import { createLooker, entryAt } from "../files/entry-at.ts";
import { type SortedScope, sortScope } from "../files/sort-scope.ts";
import type { Entry } from "../manifest/entry.ts";
import { walkFolder } from "../files/list-by-walking.ts";
import { type BytePath, byBytes, decodePath, encodePath, isWithin } from "../paths/byte-path.ts";
import { knownOf } from "./capture-listing.ts";
import type { Look, LookRequest } from "./kind.ts";

/** The state now of files that a checkpoint holds, and the files in its scope that it does not. */
export async function lookAtFiles(
  { place, manifest, entries }: LookRequest,
  list: (scope: SortedScope) => Promise<readonly BytePath[]>,
): Promise<Look> {
  const { look } = createLooker(place.root);
  const known = await knownOf(place, entries.length);
  const now = entries.map(({ path }) => known.entries.get(path) ?? entryAt(place.root, path, look));
  const held = new Set(entries.map(({ path }) => path));
  const leftOut = [...manifest.excluded, ...manifest.skipped].map(({ path }) => decodePath(path));
  leftOut.push(...manifest.ignored.map((path) => decodePath(path)));
  const isOurs = (path: BytePath): boolean => !held.has(path) && !leftOut.some((left) => isWithin(path, left));
  const listed = await list(areasOf(place.root, manifest, entries));
  const replacing = now.filter(({ type }, index) => type === "directory" && entries[index]?.type !== "directory");
  const inside = replacing.flatMap(({ path }) => walkFolder(place.root, path, place.avoid, { namesGit: true }));
  const appeared = [...new Set([...listed, ...inside])]
    .sort(byBytes)
    .filter(isOurs)
    .map((path) => entryAt(place.root, path, look))
    .filter(({ type }) => type !== "absent");
  return { now, appeared };
}

/** The requested folders and globs that still exist; named files are already captured. */
function areasOf(root: string, manifest: LookRequest["manifest"], entries: readonly Entry[]): SortedScope {
  // What a restore kept for undoing is these very paths, whatever their names look like.
  if (manifest.purpose === "undo") return { named: [], folders: [], globs: [] };
  const wasFile = new Set(
    entries.filter(({ type }) => type === "file" || type === "link").map(({ path }) => encodePath(path)),
  );
  const scope = manifest.scope.filter((item) => item.kind === "path" && !wasFile.has(item.path));
  const { folders, globs } = sortScope(root, scope);
  return { named: [], folders, globs: globs.map((glob) => ({ ...glob, isOptional: true })) };
}
