import { hash } from "node:crypto";
import { lstatSync } from "node:fs";
import type { WorkTree } from "@agent-checkpoint/git";
import {
  type Changes,
  GITLINK,
  NOTHING,
  outputOf,
  parseNames,
  pathspecs,
  rawChange,
  readChanges,
  runGit,
} from "./git.ts";
import type { Entry } from "./manifest.ts";
import { type BytePath, byBytes, diskPath, encodePath, isWithinAny, parentOf } from "./paths.ts";
import type { Place } from "./place.ts";
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
  readonly assumptions: readonly string[];
  readonly changes: Changes | null;
  /** A hash of the names that git tracks; null if they do not say all, as with repositories inside. */
  readonly names: string | null;
}

/** A listing of these very paths. */
export function exactListing(paths: readonly BytePath[], changes: Changes | null = null): Listing {
  const named = new Set(paths);
  const none = { deleted: NONE, nested: NONE, assumptions: [], names: null };
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
  { root }: WorkTree,
  scope: SortedScope,
  {
    avoid,
    changes,
    tracked,
  }: Pick<Place, "avoid"> & {
    readonly changes: Changes;
    readonly tracked: Pick<Tracked, "files" | "gitlinks" | "names">;
  },
): Promise<Listing> {
  const { found, nested, inner } = await expandNested(root, tracked, changes, avoid);
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
    assumptions: nested.map(
      (path) => `\`${encodePath(path)}\` is a repository of its own: its files are captured, its \`.git\` is not.`,
    ),
    changes,
    names: nested.length + tracked.gitlinks.length > 0 ? null : tracked.names,
  };
}

/** The paths of folders now that are in no entry, as git lists them; what has changed in the others is not asked. */
export async function listNames(
  tree: WorkTree,
  scope: SortedScope,
  { avoid, entries }: Pick<Place, "avoid"> & { readonly entries: readonly Entry[] },
): Promise<Listing> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...pathspecs(areasOf(scope))];
  const [untracked, tracked] = await Promise.all([runGit(args, { cwd: tree.root }), readTracked(tree, scope)]);
  const held = new Map(entries.map(({ path, type }) => [path, type]));
  // A repository in the place of a file that git tracks was a folder already when it was captured.
  const replaced = tracked.files.filter((path) => held.get(path) === "directory");
  const unstaged = replaced.map((path) => rawChange(path, "T", NOTHING, NOTHING));
  const changes = {
    head: null,
    branch: null,
    staged: [],
    unstaged,
    untracked: parseNames(outputOf(untracked)),
    ignored: [],
  };
  const others = { files: tracked.files.filter((path) => !held.has(path)), gitlinks: tracked.gitlinks, names: "" };
  return listByGit(tree, scope, { avoid, tracked: others, changes });
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

/** What git tracks in a scope. */
export interface Tracked {
  readonly files: readonly BytePath[];
  readonly gitlinks: readonly BytePath[];
  /** The contents of the plain files that git watches and nobody disputes. */
  readonly contents: ReadonlyMap<BytePath, string>;
  /** Whether git is configured to skip some: to assume them unchanged, or to leave them out of the work tree. */
  readonly hasUnwatched: boolean;
  /** A hash of all names, and of which are skipped. */
  readonly names: string;
}

/** Asks git what it tracks in the folders and globs of a scope. */
export async function readTracked(tree: WorkTree, scope: SortedScope): Promise<Tracked> {
  const args = ["ls-files", "-v", "--stage", "-z", "--", ...pathspecs(areasOf(scope))];
  const files: BytePath[] = [];
  const gitlinks: BytePath[] = [];
  const rows = parseNames(outputOf(await runGit(args, { cwd: tree.root })));
  let hasUnwatched = false;
  for (const row of rows) {
    (row.startsWith(GITLINK, 2) ? gitlinks : files).push(nameIn(row));
    if (!row.startsWith("H") && !row.startsWith("M")) hasUnwatched = true;
  }
  return {
    files,
    gitlinks,
    hasUnwatched,
    // These two are not always asked for.
    get contents() {
      const plain = rows.filter(
        (row) => row.startsWith("H 100") && row[SHA1_TAB] === "\t" && row[SHA1_TAB - 1] === "0",
      );
      return new Map(plain.map((row) => [nameIn(row), row.slice(9, SHA1_TAB - 2)]));
    },
    get names() {
      return hash("sha1", rows.map((row) => `${row.slice(0, 1)}${nameIn(row)}`).join("\0"));
    },
  };
}

function nameIn(row: string): BytePath {
  return row.slice(row.indexOf("\t") + 1);
}

/** Where the name begins in a row with an id of forty digits. */
const SHA1_TAB = "H 100644  0".length + 40;

/** The repositories that git has come across in a work tree, besides its submodules. */
export function repositoriesIn(
  root: string,
  { unstaged, untracked }: Pick<Changes, "unstaged" | "untracked">,
): readonly BytePath[] {
  const { look, isFolder } = createLooker(root);
  return [
    ...untracked.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
    // One in the place of a file that git tracks is a change of that file to git, and nothing untracked.
    ...unstaged.map(({ path }) => path).filter((path) => isFolder(path) && look(`${path}/.git`) !== null),
  ];
}

/** The files of the tree, and those of the repositories in it. */
async function expandNested(
  root: string,
  index: Pick<Tracked, "files" | "gitlinks">,
  changes: Pick<Changes, "unstaged" | "untracked">,
  avoid: ReadonlySet<BytePath>,
) {
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
