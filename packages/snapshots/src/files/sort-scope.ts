import micromatch from "micromatch";
import { type BytePath, decodePath, encodePath, parentOf, textOf, toBytePath } from "../paths/byte-path.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import { SafetyError } from "../trouble.ts";
import { createLooker } from "./entry-at.ts";

/** A scope of files, sorted by what its words turned out to be. */
export interface SortedScope {
  readonly named: readonly BytePath[];
  readonly folders: readonly BytePath[];
  readonly globs: readonly Glob[];
}

/** A pattern, and the folder that everything it can match lies in. */
export interface Glob {
  readonly pattern: string;
  readonly base: BytePath;
  readonly matches: (path: BytePath) => boolean;
  /** Whether it may match nothing, as when a checkpoint is compared with what is left. */
  readonly isOptional?: boolean;
}

/** Finds out which words are files, folders and globs; a word that names something on the disk is that, whatever its characters. */
export function sortScope(root: string, scope: readonly ScopeItem[]): SortedScope {
  const { look, isFolder } = createLooker(root);
  const named = new Set<BytePath>();
  const folders = new Set<BytePath>();
  const globs: Glob[] = [];
  for (const item of scope) {
    if (item.kind !== "path") continue;
    const path = decodePath(item.path);
    if (isFolder(path)) folders.add(path);
    else if (look(path) === null && isGlob(item.path)) globs.push(toGlob(item.path));
    else named.add(path);
  }
  return { named: [...named], folders: withoutInner([...folders]), globs };
}

function isGlob(text: string): boolean {
  return micromatch.scan(text, {}).isGlob;
}

function toGlob(pattern: string): Glob {
  const { base } = micromatch.scan(pattern, {});
  const isMatch = micromatch.matcher(pattern, { dot: true });
  return { pattern, base: toBytePath(base), matches: (path) => isMatch(textOf(path) ?? encodePath(path)) };
}

/** Folders that lie in no other one of them. */
function withoutInner(folders: readonly BytePath[]): readonly BytePath[] {
  return folders.filter(
    (inner) => !folders.some((outer) => outer !== inner && (outer === "" || inner.startsWith(`${outer}/`))),
  );
}

/** Refuses a file that is reached through a link or another file: it lies elsewhere. */
export function refuseBehindLinks(root: string, { named }: SortedScope): void {
  const looker = createLooker(root);
  for (const path of named) refuseBehindLink(path, looker);
}

function refuseBehindLink(path: BytePath, { look, isFolder }: ReturnType<typeof createLooker>): void {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    if (isFolder(folder) || look(folder) === null) continue;
    const what = `\`${encodePath(path)}\` lies behind \`${encodePath(folder)}\`, which is not a real folder.`;
    throw new SafetyError("outside-root", what, "Name the place that the link points to, or the link itself.");
  }
}
