import { lstatSync } from "node:fs";
import {
  type Changes,
  GITLINK,
  type WorkTree,
  parseNames,
  pathspecs,
  readChanges,
  runGit,
} from "../git/read-changes.ts";
import { outputOf } from "../store/repository.ts";
import { type BytePath, byBytes, diskPath, encodePath, isWithin, parentOf } from "../paths/byte-path.ts";
import { type Listing, refuseEmpty, walkFolder } from "./list-by-walking.ts";
import { createLooker } from "./entry-at.ts";
import type { SortedScope } from "./sort-scope.ts";

/**
 * The paths of a scope as git lists them: what it tracks, and what it does not ignore.
 * A file that was named is taken whatever git thinks of it; a repository inside is listed by its own rules.
 */
export async function listByGit(tree: WorkTree, scope: SortedScope, avoid: ReadonlySet<BytePath>): Promise<Listing> {
  const areas = areasOf(scope);
  const [changes, index] = await Promise.all([
    readChanges(tree, [...areas, ...scope.named]),
    areas.length === 0 ? NO_INDEX : readIndex(tree, areas),
  ]);
  const { found, nested, inner } = await expandNested(tree.root, index, changes, avoid);
  const isListed = (path: BytePath): boolean =>
    scope.folders.some((folder) => isWithin(path, folder)) || scope.globs.some((glob) => glob.matches(path));
  const isEverything = scope.folders.includes("");
  const gone = deletedPaths(changes);
  const listed = [...new Set([...found, ...gone])].filter(
    (path) => !isAvoided(path, avoid) && (isEverything || isListed(path)),
  );
  for (const glob of scope.globs)
    refuseEmpty(
      glob,
      listed.filter((path) => glob.matches(path)),
    );
  const folders = parentsOf(
    listed.filter((path) => isEverything || scope.folders.some((folder) => isWithin(path, folder))),
    scope.folders,
  );
  return {
    paths: [...new Set([...listed, ...folders, ...scope.named])].sort(byBytes),
    named: new Set(scope.named),
    deleted: gone,
    nested: inner,
    hasUnwatched: index.hasUnwatched,
    ignored: changes.ignored.filter((path) => !isAvoided(path, avoid)),
    assumptions: nested.map(
      (path) => `\`${encodePath(path)}\` is a repository of its own: its files are captured, its \`.git\` is not.`,
    ),
    changes,
  };
}

/** The paths that git knows, in HEAD or in the index, and that may be gone from the disk. */
function deletedPaths({ staged, unstaged }: Changes): ReadonlySet<BytePath> {
  const gone = [...staged, ...unstaged].filter(
    ({ letter, oldMode }) => letter === "U" || (letter === "D" && oldMode !== GITLINK),
  );
  return new Set(gone.map(({ path }) => path));
}

/** The folders that git lists for a scope. */
function areasOf({ folders, globs }: SortedScope): readonly BytePath[] {
  return [...folders, ...globs.map(({ base }) => base)];
}

interface IndexPaths {
  readonly files: readonly BytePath[];
  readonly gitlinks: readonly BytePath[];
  readonly hasUnwatched: boolean;
}

const NO_INDEX: IndexPaths = { files: [], gitlinks: [], hasUnwatched: false };

async function readIndex(tree: WorkTree, areas: readonly BytePath[]): Promise<IndexPaths> {
  const result = await runGit(["ls-files", "-v", "--stage", "-z", "--", ...pathspecs(areas)], { cwd: tree.root });
  const files: BytePath[] = [];
  const gitlinks: BytePath[] = [];
  let hasUnwatched = false;
  for (const row of parseNames(outputOf(result))) {
    const path = row.slice(row.indexOf("\t") + 1);
    (row.startsWith(GITLINK, 2) ? gitlinks : files).push(path);
    if (!row.startsWith("H") && !row.startsWith("M")) hasUnwatched = true;
  }
  return { files, gitlinks, hasUnwatched };
}

/** The files of the tree, and those of the repositories in it. */
async function expandNested(
  root: string,
  index: IndexPaths,
  { unstaged, untracked }: Changes,
  avoid: ReadonlySet<BytePath>,
) {
  const { look, isFolder } = createLooker(root);
  const isRepository = (path: BytePath): boolean => path.endsWith("/");
  const found: BytePath[] = [...index.files, ...untracked.filter((path) => !isRepository(path))];
  const repositories = new Set([
    ...index.gitlinks,
    ...untracked.filter(isRepository).map((path) => path.slice(0, -1)),
    // One in the place of a file that git tracks is a change of that file to git, and nothing untracked.
    ...unstaged.map(({ path }) => path).filter((path) => isFolder(path) && look(`${path}/.git`) !== null),
  ]);
  const pending = [...repositories];
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
    const [files, gitlinks] = await Promise.all([
      runGit(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd }),
      runGit(["ls-files", "--stage", "-z"], { cwd }),
    ]);
    if (files.ok && gitlinks.ok) {
      const links = new Set(
        parseNames(gitlinks.stdout)
          .filter((row) => row.startsWith(GITLINK))
          .map((row) => row.slice(row.indexOf("\t") + 1)),
      );
      return parseNames(files.stdout).map((path) => `${folder}/${path}${links.has(path) ? "/" : ""}`);
    }
  }
  return walkFolder(root, folder, avoid);
}

function isAvoided(path: BytePath, avoid: ReadonlySet<BytePath>): boolean {
  for (const folder of avoid) if (isWithin(path, folder)) return true;
  return false;
}

/** The folders on the way to files, as far up as the folders that were asked for. */
function parentsOf(files: readonly BytePath[], tops: readonly BytePath[]): ReadonlySet<BytePath> {
  const folders = new Set<BytePath>();
  for (const file of files) {
    for (let folder = parentOf(file); folder !== "" && !folders.has(folder); folder = parentOf(folder)) {
      if (tops.some((top) => isWithin(folder, top))) folders.add(folder);
      else break;
    }
  }
  return folders;
}
