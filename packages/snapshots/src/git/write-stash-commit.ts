import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../manifest/entry.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { Contents } from "../store/open-contents.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { SafetyError } from "../trouble.ts";
import type { WorkTree } from "./find-work-tree.ts";
import { type Imported, type NewCommit, parseImported, renderImport, type TreeChange } from "./import-stream.ts";
import { GITLINK, type RawChange } from "./raw-diff.ts";
import { readBlobs } from "./read-blobs.ts";
import { type Changes, outputOf } from "./read-changes.ts";
import type { StashParts } from "./repeat-stash-commit.ts";
import { runGit } from "./run-git.ts";
import { stashMessages, stashRef } from "./stash-names.ts";

export interface StashRequest {
  readonly tree: WorkTree;
  readonly layout: StoreLayout;
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
  readonly changes: Changes;
  readonly entries: readonly Entry[];
  /** Paths inside other repositories, which a commit of this one cannot hold. */
  readonly nested: ReadonlySet<BytePath>;
  readonly contents: Contents;
}

/** The commit, by its full object id, and what had to be done differently. */
export interface StashCommit {
  readonly oid: string | null;
  readonly assumptions: readonly string[];
  /** What the same commit can be made of again; null where it has not the shape of a stash. */
  readonly parts: StashParts | null;
}

/**
 * Makes a commit in the shape of a stash: HEAD, the index and the untracked files as parents, the files as its tree.
 * It lies in a repository of the store's own that borrows the objects of the user's. Nothing of the user's repository
 * names it, so nothing can list, pop, prune or push it. A restore does not need it: the contents are in the store.
 */
export async function writeStashCommit(request: StashRequest): Promise<StashCommit> {
  const { changes, entries, nested, contents, id, reason, layout, tree, now } = request;
  const captured = new Map(entries.filter(({ path }) => !nested.has(path)).map((entry) => [entry.path, entry]));
  const size = [...changes.unstaged.map(({ path }) => path), ...changes.untracked].reduce(
    (sum, path) => sum + (captured.get(path)?.size ?? 0),
    0,
  );
  if (size > MOST_BYTES)
    return {
      oid: null,
      assumptions: ["The changes are too large for a commit: they are kept in the store only."],
      parts: null,
    };
  const take = (path: BytePath): readonly TreeChange[] => toTreeChange(path, captured.get(path), contents);
  const common = { seconds: Math.floor(now.getTime() / 1000) };
  const ref = (name: string): string => stashRef(id, name);
  const messages = stashMessages(id, reason);
  if (changes.head === null) {
    const all = [...captured.keys()].filter((path) => captured.get(path)?.type !== "absent").flatMap(take);
    const commit: NewCommit = {
      ...common,
      ref: ref("files"),
      message: messages.files,
      from: null,
      merge: [],
      changes: all,
    };
    return {
      oid: (await importCommits(layout, tree, [commit])).oids.at(-1) ?? "",
      parts: null,
      assumptions: [
        "HEAD has no commit yet, so a stash is impossible: the files in scope are kept as a commit without parents.",
      ],
    };
  }
  const staged = await stagedChanges(tree, changes.staged);
  const unstaged = changes.unstaged.filter((change) => !isGitlink(change)).flatMap(({ path }) => take(path));
  const untracked = changes.untracked.flatMap(take);
  const commits: NewCommit[] = [
    { ...common, ref: ref("index"), message: messages.index, from: changes.head, merge: [], changes: staged },
    ...(untracked.length === 0
      ? []
      : [
          {
            ...common,
            ref: ref("untracked"),
            message: messages.untracked,
            from: null,
            merge: [],
            changes: untracked,
          },
        ]),
  ];
  const files: NewCommit = {
    ...common,
    ref: ref("files"),
    message: messages.files,
    from: changes.head,
    merge: commits.map((_, index) => index + 1),
    changes: [...staged, ...unstaged],
  };
  const isUnmerged = [...changes.staged, ...changes.unstaged].some(({ letter }) => letter === "U");
  const assumptions = isUnmerged ? [UNMERGED] : [];
  const { oids, tree: root } = await importCommits(layout, tree, [...commits, files]);
  const oid = oids.at(-1) ?? "";
  const parents = [changes.head, ...oids.slice(0, -1)];
  return { oid, assumptions, parts: root === null ? null : { id, oid, tree: root, parents, assumptions } };
}

const UNMERGED =
  "The index has unmerged paths, which a stash cannot hold: in the commit's index they are as in HEAD, in its files as on the disk.";

const MOST_BYTES = 256 * 1024 * 1024;

function isGitlink({ oldMode, newMode }: RawChange): boolean {
  return oldMode === GITLINK || newMode === GITLINK;
}

/** What a captured path is in a commit; a path that was left out stays as it is in the index. */
function toTreeChange(path: BytePath, entry: Entry | undefined, contents: Contents): readonly TreeChange[] {
  if (entry === undefined) return [];
  if (entry.type === "absent" || entry.type === "directory")
    return entry.type === "absent" ? [{ path, mode: null }] : [];
  const { sha256 } = entry;
  if (sha256 === null) return [];
  const mode = entry.type === "link" ? "120000" : (entry.mode & 0o100) === 0 ? "100644" : "100755";
  const bytes = (): Buffer => {
    const found = contents.read(sha256);
    if (found === null) throw new SafetyError("damaged", "A content is damaged right after it was stored.");
    return found;
  };
  return [{ path, mode, bytes }];
}

/** The index against HEAD, with the contents themselves, since the user's repository may drop them. */
async function stagedChanges(tree: WorkTree, staged: readonly RawChange[]): Promise<readonly TreeChange[]> {
  const kept = staged.filter((change) => change.letter !== "U" && !isGitlink(change));
  const blobs = await readBlobs(
    tree,
    kept.filter(({ letter }) => letter !== "D").map(({ newOid }) => newOid),
  );
  return kept.flatMap(({ path, newMode, newOid, letter }): readonly TreeChange[] => {
    if (letter === "D") return [{ path, mode: null }];
    const bytes = blobs.get(newOid);
    const mode = MODES.find((known) => known === newMode);
    return bytes === undefined || mode === undefined ? [] : [{ path, mode, bytes: () => bytes }];
  });
}

const MODES = ["100644", "100755", "120000"] as const;

async function importCommits(layout: StoreLayout, tree: WorkTree, commits: readonly NewCommit[]): Promise<Imported> {
  const repository = layout.stashRepository;
  await ensureRepository(repository, tree);
  const result = await runGit(
    ["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--done", "--date-format=raw"],
    { cwd: layout.folder, env: { GIT_DIR: repository }, input: renderImport(commits) },
  );
  return parseImported(outputOf(result).toString("latin1"));
}

async function ensureRepository(repository: string, tree: WorkTree): Promise<void> {
  const alternates = join(repository, "objects", "info", "alternates");
  if (existsSync(alternates)) return;
  const format = await runGit(["rev-parse", "--show-object-format"], { cwd: tree.root });
  const name = format.status === "ok" ? format.stdout.toString("latin1").trim() : "sha1";
  outputOf(
    await runGit(["init", "--quiet", "--bare", "--template=", `--object-format=${name}`, repository], {
      cwd: tree.root,
    }),
  );
  mkdirSync(join(repository, "objects", "info"), { recursive: true });
  writeFileSync(alternates, `${join(tree.commonDir, "objects")}\n`, { mode: 0o600 });
}
