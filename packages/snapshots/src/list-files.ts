import { hash } from "node:crypto";
import { lstatSync } from "node:fs";
import type { WorkTree } from "@agent-checkpoint/git";
import { type Changes, GITLINK, outputOf, parseNames, pathspecs, readChanges, readNamed, runGit } from "./git.ts";
import { type BytePath, byBytes, diskPath, encodePath, isWithinAny, parentOf } from "./paths.ts";
import { createLooker, walkFolder } from "./read-files.ts";
import { isListed, refuseEmptyGlobs, type SortedScope } from "./scope.ts";

/** The paths that a scope stands for. */
export interface Listing {
  /** In byte order, without repetition. */
  readonly paths: readonly BytePath[];
  /** Those that were named one by one: that they are absent is recorded, and that they cannot be read refuses the checkpoint. */
  readonly named: ReadonlySet<BytePath>;
  /** Those that git knows and that are gone: their absence is recorded too. */
  readonly deleted: ReadonlySet<BytePath>;
  /** Those inside a repository of its own. */
  readonly nested: ReadonlySet<BytePath>;
  /** Whether git is configured to skip some: to assume them unchanged, or to leave them out of the work tree. */
  readonly hasUnwatched: boolean;
  readonly assumptions: readonly string[];
  readonly changes: Changes | null;
  /** A hash of the names that git tracks; null if they do not say all, as with repositories inside. */
  readonly names: string | null;
}

/** A listing of these very paths. */
export function exactListing(paths: readonly BytePath[], changes: Changes | null = null): Listing {
  const named = new Set(paths);
  const none = { deleted: NONE, nested: NONE, hasUnwatched: false, assumptions: [], names: null };
  return { paths: [...named].sort(byBytes), named, changes, ...none };
}

const NONE: ReadonlySet<BytePath> = new Set();

/** The paths of a scope as they lie on the disk, ignored or not, with every folder. */
export function listByWalking(root: string, scope: SortedScope, avoid: ReadonlySet<BytePath>): Listing {
  const { isFolder } = createLooker(root);
  const found = new Set<BytePath>();
  for (const folder of scope.folders) {
    if (folder !== "") found.add(folder);
    for (const path of walkFolder(root, folder, avoid)) found.add(path);
  }
  const bases = scope.globs.map(({ base }) => base).filter(isFolder);
  const matched = bases
    .flatMap((base) => walkFolder(root, base, avoid))
    .filter((path) => scope.globs.some((glob) => glob.matches(path)));
  refuseEmptyGlobs(matched, scope);
  for (const path of matched) if (!isFolder(path)) found.add(path);
  return { ...exactListing([...found, ...scope.named]), named: new Set(scope.named) };
}

/**
 * The paths of a scope as git lists them: what it tracks, and what it does not ignore.
 * A file that was named is taken whatever git thinks of it; a repository inside is listed by its own rules.
 */
export async function listByGit(
  tree: WorkTree,
  scope: SortedScope,
  { avoid, changes: read }: { readonly avoid: ReadonlySet<BytePath>; readonly changes?: Changes },
): Promise<Listing> {
  const areas = areasOf(scope);
  if (areas.length === 0) return exactListing(scope.named, read ?? (await readNamed(tree, scope.named)));
  const [changes, index] = await Promise.all([
    read ?? readChanges(tree, [...areas, ...scope.named]),
    readIndex(tree, areas),
  ]);
  const { found, nested, inner } = await expandNested(tree.root, index, changes, avoid);
  const deleted = deletedIn(changes);
  const isAll = scope.folders.includes("");
  const listed = [...new Set([...found, ...deleted])].filter(
    (path) => (isAll || isListed(path, scope)) && !isWithinAny(path, avoid),
  );
  refuseEmptyGlobs(listed, scope);
  return {
    paths: [...new Set([...listed, ...foldersOn(listed, scope.folders), ...scope.named])].sort(byBytes),
    named: new Set(scope.named),
    deleted,
    nested: inner,
    hasUnwatched: index.hasUnwatched,
    assumptions: nested.map(
      (path) => `\`${encodePath(path)}\` is a repository of its own: its files are captured, its \`.git\` is not.`,
    ),
    changes,
    names: nested.length + index.gitlinks.length > 0 ? null : await hashNames(tree, scope),
  };
}

/** A hash of the names that git tracks in a scope, and of those that it is told to skip. */
export async function hashNames(tree: WorkTree, scope: SortedScope): Promise<string> {
  const args = ["ls-files", "-v", "-z", "--", ...pathspecs(areasOf(scope))];
  return hash("sha1", outputOf(await runGit(args, { cwd: tree.root })));
}

/** What git says of the folders and globs of a scope, and of the files that it names. */
export function readScope(tree: WorkTree, scope: SortedScope): Promise<Changes> {
  return readChanges(tree, [...areasOf(scope), ...scope.named]);
}

/** The folders that git lists for a scope. */
function areasOf({ folders, globs }: SortedScope): readonly BytePath[] {
  return [...folders, ...globs.map(({ base }) => base)];
}

/** The paths that git knows, in HEAD or in the index, and that may be gone from the disk. */
export function deletedIn({ staged, unstaged }: Changes): ReadonlySet<BytePath> {
  const gone = [...staged, ...unstaged].filter(
    ({ letter, oldMode }) => letter === "U" || (letter === "D" && oldMode !== GITLINK),
  );
  return new Set(gone.map(({ path }) => path));
}

interface IndexPaths {
  readonly files: readonly BytePath[];
  readonly gitlinks: readonly BytePath[];
  readonly hasUnwatched: boolean;
}

async function readIndex(tree: WorkTree, areas: readonly BytePath[]): Promise<IndexPaths> {
  const result = await runGit(["ls-files", "-v", "--stage", "-z", "--", ...pathspecs(areas)], { cwd: tree.root });
  const files: BytePath[] = [];
  const gitlinks: BytePath[] = [];
  let hasUnwatched = false;
  for (const row of parseNames(outputOf(result))) {
    (row.startsWith(GITLINK, 2) ? gitlinks : files).push(row.slice(row.indexOf("\t") + 1));
    if (!row.startsWith("H") && !row.startsWith("M")) hasUnwatched = true;
  }
  return { files, gitlinks, hasUnwatched };
}

/** The repositories that git has come across in a work tree, besides its submodules. */
export function repositoriesIn(root: string, { unstaged, untracked }: Changes): readonly BytePath[] {
  const { look, isFolder } = createLooker(root);
  return [
    ...untracked.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
    // One in the place of a file that git tracks is a change of that file to git, and nothing untracked.
    ...unstaged.map(({ path }) => path).filter((path) => isFolder(path) && look(`${path}/.git`) !== null),
  ];
}

/** The files of the tree, and those of the repositories in it. */
async function expandNested(root: string, index: IndexPaths, changes: Changes, avoid: ReadonlySet<BytePath>) {
  const found: BytePath[] = [...index.files, ...changes.untracked.filter((path) => !path.endsWith("/"))];
  const pending = [...new Set([...index.gitlinks, ...repositoriesIn(root, changes)])];
  const nested: BytePath[] = [];
  const inner = new Set<BytePath>();
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (lstatSync(diskPath(root, folder), { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    nested.push(folder);
    for (const path of await listNested(root, folder, avoid)) {
      if (path.endsWith("/")) pending.push(path.slice(0, -1));
      else {
        found.push(path);
        inner.add(path);
      }
    }
  }
  return { found, nested: nested.sort(byBytes), inner };
}

/** The files of a repository inside, by its own rules; a folder that git cannot read is walked. */
async function listNested(root: string, folder: BytePath, avoid: ReadonlySet<BytePath>): Promise<readonly BytePath[]> {
  const text = Buffer.from(folder, "latin1").toString("utf8");
  const hasGit = lstatSync(diskPath(root, `${folder}/.git`), { throwIfNoEntry: false }) !== undefined;
  if (hasGit && !text.includes("\uFFFD")) {
    const cwd = `${root}/${text}`;
    const [files, stages] = await Promise.all([
      runGit(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd }),
      runGit(["ls-files", "--stage", "-z"], { cwd }),
    ]);
    if (files.ok && stages.ok) {
      const links = parseNames(stages.stdout).filter((row) => row.startsWith(GITLINK));
      const paths = new Set(links.map((row) => row.slice(row.indexOf("\t") + 1)));
      return parseNames(files.stdout).map((path) => `${folder}/${path}${paths.has(path) ? "/" : ""}`);
    }
  }
  return walkFolder(root, folder, avoid);
}

/** The folders on the way to files, as far up as the folders that were asked for. */
export function foldersOn(files: readonly BytePath[], tops: readonly BytePath[]): ReadonlySet<BytePath> {
  const folders = new Set<BytePath>();
  for (const file of files) {
    for (let folder = parentOf(file); folder !== "" && !folders.has(folder); folder = parentOf(folder)) {
      if (!isWithinAny(folder, tops)) break;
      folders.add(folder);
    }
  }
  return folders;
}
