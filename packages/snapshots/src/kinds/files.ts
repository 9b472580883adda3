import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationIn, type WorkTree } from "@agent-checkpoint/git";
import { type Captured, captureFiles } from "../capture-files.ts";
import { type Changes, isAsIndexed, parseNames, runGit } from "../git.ts";
import { recall, remember, type Remembered } from "../last-capture.ts";
import {
  deletedIn,
  exactListing,
  foldersOn,
  hashNames,
  listByGit,
  listByWalking,
  type Listing,
  readScope,
  repositoriesIn,
} from "../list-files.ts";
import { type Entry, type Manifest, parseRow, parseStream, scanStream } from "../manifest.ts";
import { type BytePath, byBytes, decodePath, encodePath, foldersAbove, isWithinAny } from "../paths.ts";
import type { Context, Place } from "../place.ts";
import { createLooker, entryAt, walkFolder } from "../read-files.ts";
import { isListed, refuseBehindLinks, type ScopeItem, type SortedScope, sortScope } from "../scope.ts";
import { SafetyError } from "../trouble.ts";
import { applyFiles, drillFiles } from "./apply-files.ts";
import type { Capture, CaptureRequest, Kind, Look } from "./kind.ts";
import { earlierStates } from "./stash-parents.ts";

/** Files of a work tree, tracked or not but not ignored, in a commit in the shape of a stash. */
export const gitStash: Kind = {
  isOfFiles: true,
  capture: (request, context) => captureByGit(request, context),
  look: (manifest, entries, context) => look(manifest, entries, context),
  drill: drillFiles,
  apply: applyFiles,
};

/** Files and folders of any place, ignored or not, with every folder and its permissions; git is not asked. */
export const fileBackup: Kind = {
  ...gitStash,
  capture: async (request, context) => {
    const { root, avoid } = context.place;
    if (request.exactly !== undefined) return captureListing(exactListing(request.exactly), request, context);
    const sorted = sortScope(root, request.scope);
    refuseBehindLinks(root, sorted);
    const momentNs = nowNs();
    const listing = listByWalking(root, sorted, avoid);
    const key = listing.paths.length > SMALL ? keyOf("file_backup", request.scope, context) : null;
    const before = key === null ? null : await recall(context.place, key);
    return captureListing(listing, request, context, { key, before, momentNs });
  },
};

/** Of fewer files it is not worth remembering anything. */
const SMALL = 256;

/** Captures stand by themselves if they are of the same words under the same limits. */
function keyOf(type: string, scope: readonly ScopeItem[], { limits }: Context): string {
  return JSON.stringify([type, scope, limits]);
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** What a capture need not read, and where it is remembered. */
interface Vouched {
  readonly key: string | null;
  readonly before: Remembered | null;
  /** When git was asked, in nanoseconds. */
  readonly momentNs: bigint;
  readonly committed?: ReadonlyMap<BytePath, string>;
  readonly userIndex?: string | null;
  /** What of the known entries is in the listing; by default all. */
  readonly known?: ReadonlyMap<BytePath, Entry>;
}

async function captureByGit(request: CaptureRequest, context: Context): Promise<Capture> {
  const { place } = context;
  if (request.exactly !== undefined) return captureListing(exactListing(request.exactly), request, context);
  const tree = treeOf(place);
  const sorted = sortScope(place.root, request.scope);
  refuseBehindLinks(place.root, sorted);
  const momentNs = nowNs();
  const isOfAreas = sorted.folders.length + sorted.globs.length > 0;
  if (!isOfAreas && sorted.named.length <= SMALL) {
    const listing = await listByGit(tree, sorted, place);
    return withRepository(await captureListing(listing, request, context), listing, tree, request);
  }
  const key = keyOf("git_stash", request.scope, context);
  const [changes, before, names] = await Promise.all([
    readScope(tree, sorted),
    recall(place, key),
    isOfAreas ? hashNames(tree, sorted) : null,
  ]);
  const since = { key, before, momentNs };
  const again =
    before === null || names === null || before.last.names !== names
      ? null
      : await captureSince(sorted, changes, { ...since, before }, request, context);
  if (again !== null) return withRepository(again.capture, again.listing, tree, request);
  const listing = await listByGit(tree, sorted, { ...place, changes });
  const known = knownOf(before);
  const committed = await committedOf(tree, listing, known);
  const vouched = { ...since, known, committed, userIndex: plainIndex(tree, listing) };
  const capture = await captureListing(listing, request, context, vouched);
  // A repository that has lost a content cannot vouch for it: everything is read then.
  const isCopied = await copyBlobs(tree, capture.asCommitted, place);
  const whole = isCopied ? capture : await captureListing(listing, request, context, { ...since, known });
  return withRepository(whole, listing, tree, request);
}

/**
 * Captures what may have changed since the last capture of the same scope, if git tracks the same names: what the disk
 * says was touched, what git has something to say about, then or now, and what it does not know. Null if something has
 * gone out of scope, or a limit is near.
 */
async function captureSince(
  sorted: SortedScope,
  changes: Changes,
  since: Vouched & { readonly before: Remembered },
  request: CaptureRequest,
  context: Context,
): Promise<{ readonly capture: Capture; readonly listing: Listing } | null> {
  const { place, limits } = context;
  const { last, dirty } = since.before;
  const untracked = new Set(changes.untracked);
  if (last.untracked.some((path) => !untracked.has(path)) || repositoriesIn(place.root, changes).length > 0)
    return null;
  const rows = rowsOf(changes).filter((path) => isListed(path, sorted) && !isWithinAny(path, place.avoid));
  const looked = new Set([...rows, ...last.unvouched, ...last.noted, ...sorted.named]);
  const before = new Map<BytePath, Entry>();
  const isWhole = scanStream(last.text, (path, rest) => {
    if (dirty.has(path)) looked.add(path);
    const entry = looked.has(path) ? parseRow(path, rest) : null;
    if (entry !== null) before.set(path, entry);
    return true;
  });
  const named = new Set(sorted.named);
  const listed = [...rows, ...[...looked].filter((path) => !named.has(path))];
  for (const folder of foldersOn(listed, sorted.folders)) looked.add(folder);
  const unvouched = new Set([...last.unvouched, ...dirty]);
  const known = new Map([...before].filter(([path, { type }]) => type === "file" && !unvouched.has(path)));
  const listing: Listing = {
    ...exactListing([...looked], changes),
    named: new Set(sorted.named),
    deleted: deletedIn(changes),
    names: last.names,
  };
  const capture = await captureListing(listing, request, context, { ...since, known });
  const now = new Set(capture.entries.map(({ path }) => path));
  const isNearLimit =
    last.counts.bytes + capture.captured.bytes > limits.totalBytes || last.counts.files + now.size > limits.files;
  if (!isWhole || isNearLimit || [...before.keys()].some((path) => !now.has(path))) return null;
  return { capture: { ...capture, base: last }, listing };
}

/** The paths that git has something to say about. */
function rowsOf({ staged, unstaged, untracked }: Changes): readonly BytePath[] {
  return [...new Set([...staged, ...unstaged].map(({ path }) => path)), ...untracked];
}

/** The files that are as they were at the last capture. */
function knownOf(before: Remembered | null): ReadonlyMap<BytePath, Entry> {
  if (before === null) return new Map();
  const unvouched = new Set([...before.last.unvouched, ...before.dirty]);
  const entries = parseStream(before.last.text) ?? [];
  return new Map(
    entries.flatMap((entry) => (entry.type === "file" && !unvouched.has(entry.path) ? [[entry.path, entry]] : [])),
  );
}

interface CapturedListing extends Capture {
  readonly captured: Captured;
  readonly asCommitted: readonly Entry[];
}

/** Captures the files of a listing. */
async function captureListing(
  listing: Listing,
  { writer, leaveSecrets }: CaptureRequest,
  { place, limits, progress }: Context,
  vouched: Vouched = { key: null, before: null, momentNs: nowNs() },
): Promise<CapturedListing> {
  const { key, before, momentNs, committed = new Map(), userIndex = null } = vouched;
  const known = vouched.known ?? knownOf(before);
  const options = { root: place.root, limits, writer, known, committed, leaveSecrets, progress, momentNs };
  const captured = await captureFiles(listing, options);
  const { entries, unread, excluded, skipped, read, asCommitted, hardLinks } = captured;
  const isVouched = (path: BytePath): boolean => (read.has(path) || unread.has(path)) && !listing.nested.has(path);
  return {
    captured,
    asCommitted,
    entries,
    unread,
    excluded,
    skipped,
    ignored: (listing.changes?.ignored ?? []).filter((path) => !isWithinAny(path, place.avoid)).map(encodePath),
    assumptions: [
      ...listing.assumptions,
      ...(hardLinks === 0
        ? []
        : [
            `${hardLinks} files have more than one name: a restore gives a name its contents back, not the connection.`,
          ]),
    ],
    remember: async (made) => {
      if (key === null || !leaveSecrets) return;
      const omitted = [...excluded, ...skipped].map(({ path }) => decodePath(path));
      const others = entries.filter(({ path, type }) => type !== "directory" && !isVouched(path));
      const folders = entries.filter(({ type }) => type === "directory");
      const inner = { ...captured, read: new Map([...read].filter(([path]) => !listing.nested.has(path))) };
      await remember(place, key, {
        ...made,
        captured: inner,
        before,
        userIndex,
        names: listing.names,
        untracked: listing.changes?.untracked ?? [],
        unvouched: [...omitted, ...others.map(({ path }) => path)],
        noted: [...folders.map(({ path }) => path), ...(listing.changes === null ? [] : rowsOf(listing.changes))],
      });
    },
  };
}

/** The files that are as committed, where many are not known yet: their contents are copied, not read. */
async function committedOf(
  tree: WorkTree,
  { paths, changes }: Listing,
  known: ReadonlyMap<BytePath, unknown>,
): Promise<ReadonlyMap<BytePath, string>> {
  const unknown = paths.filter((path) => !known.has(path));
  if (unknown.length < SMALL || changes === null || changes.head === null) return new Map();
  const committed = await listUnconverted(tree);
  for (const { path } of [...changes.staged, ...changes.unstaged]) committed.delete(path);
  return committed;
}

/**
 * The files of the index that no attribute and no setting converts on their way to the disk, with the ids of their
 * contents: what git calls unchanged is then on the disk byte for byte. None if contents may be far away, or have ids of
 * another kind.
 */
async function listUnconverted(tree: WorkTree): Promise<Map<BytePath, string>> {
  const [settings, listed] = await Promise.all([
    runGit(["config", "--get-regexp", "^core\\.(autocrlf|eol)$"], { cwd: tree.root }),
    runGit(["ls-files", "--stage", "-v", "-z", "--", PLAIN], { cwd: tree.root, hasPatterns: true }),
  ]);
  const files = new Map<BytePath, string>();
  // The exit code 1 says that nothing is set.
  const isConverted = settings.ok ? /autocrlf (?!false$)/m.test(settings.stdout.toString()) : settings.exitCode !== 1;
  if (isConverted || !listed.ok || isPartial(tree)) return files;
  for (const row of parseNames(listed.stdout)) {
    const [, oid, path] = ROW.exec(row) ?? [];
    if (oid !== undefined && path !== undefined) files.set(path, oid);
  }
  return files;
}

const PLAIN = ":(top,attr:!text !crlf !eol !filter !ident !working-tree-encoding)";
/** A plain file that git watches and nobody disputes. */
const ROW = /^H 100(?:644|755) ([0-9a-f]{40}) 0\t(.+)$/s;

function isPartial({ commonDir }: WorkTree): boolean {
  try {
    return /partialclone|promisor/i.test(readFileSync(join(commonDir, "config"), "utf8"));
  } catch {
    return true;
  }
}

/** The index of the work tree if another program can read it alone; null if it has parts elsewhere, or hides files. */
function plainIndex({ gitDir }: WorkTree, { hasUnwatched }: Listing): string | null {
  const isSplit = readdirSync(gitDir).some((name) => name.startsWith("sharedindex."));
  return isSplit || hasUnwatched ? null : join(gitDir, "index");
}

/** Copies contents from the user's repository into the store as git has packed them; false if one is not there. */
async function copyBlobs(tree: WorkTree, entries: readonly Entry[], { layout }: Place): Promise<boolean> {
  if (entries.length === 0) return true;
  const pack = join(layout.repository, "objects", "pack", "pack");
  const args = ["pack-objects", "--quiet", "--window=0", "--delta-base-offset", pack];
  const input = `${[...new Set(entries.map(({ oid }) => oid))].join("\n")}\n`;
  return (await runGit(args, { cwd: tree.root, input, settings: ["pack.compression=1"] })).ok;
}

/** Adds what the repository knows: where HEAD stands, what was committed, and what index and HEAD have otherwise. */
async function withRepository(
  capture: Capture,
  { changes, nested }: Listing,
  tree: WorkTree,
  { writer }: CaptureRequest,
): Promise<Capture> {
  if (changes === null) return capture;
  const { entries } = capture;
  const captured = new Map(entries.map((entry) => [entry.path, entry]));
  const operation = operationIn(tree)?.name ?? null;
  const { earlier, assumptions } = await earlierStates(tree, changes, { entries, nested, writer });
  const isChanged = (change: Changes["staged"][number]): boolean => {
    const entry = captured.get(change.path);
    return entry !== undefined && !isAsIndexed(change, entry);
  };
  const uncommitted = new Set([
    ...changes.staged.map(({ path }) => path),
    ...changes.unstaged.filter(isChanged).map(({ path }) => path),
    ...changes.untracked,
  ]);
  return {
    ...capture,
    assumptions: [
      ...capture.assumptions,
      ...assumptions,
      ...(operation === null ? [] : [`A ${operation} is under way: it is left as it is, and so is the index.`]),
    ],
    uncommitted: [...uncommitted].filter((path) => captured.has(path)).length,
    git: { head: changes.head, branch: changes.branch, operation },
    earlier,
  };
}

function treeOf({ tree, root }: Place): WorkTree {
  if (tree !== null) return tree;
  const what = `\`${root}\` is not a git work tree, or no longer one.`;
  throw new SafetyError("git", what, "Restore with --into, and copy from there.");
}

/** The state now of files that a checkpoint holds, and the files in its scope that it does not. */
async function look(manifest: Manifest, entries: readonly Entry[], context: Context): Promise<Look> {
  const { place } = context;
  const looker = createLooker(place.root);
  const at = (path: BytePath): Entry => entryAt(place.root, path, looker.look);
  const isLarge = entries.length > SMALL && manifest.purpose !== "undo";
  const known = knownOf(isLarge ? await recall(place, keyOf(manifest.type, manifest.scope, context)) : null);
  const now = entries.map(({ path }) => known.get(path) ?? at(path));
  const listed = await listAreas(manifest, entries, context);
  const replacing = now.filter(({ type }, index) => type === "directory" && entries[index]?.type !== "directory");
  const inside = replacing.flatMap(({ path }) => walkFolder(place.root, path, place.avoid, { namesGit: true }));
  const held = new Set(entries.map(({ path }) => path));
  const left = [...manifest.excluded, ...manifest.skipped].map(({ path }) => path);
  const leftOut = new Set([...left, ...manifest.ignored].map(decodePath));
  const isOurs = (path: BytePath): boolean => ![path, ...foldersAbove(path)].some((each) => leftOut.has(each));
  const appeared = [...new Set([...listed, ...inside])]
    .filter((path) => !held.has(path) && isOurs(path))
    .sort(byBytes)
    .map(at)
    .filter(({ type }) => type !== "absent");
  return { now, appeared };
}

/** What is in the requested folders and globs that still exist; named files are already captured. */
async function listAreas(
  manifest: Manifest,
  entries: readonly Entry[],
  { place }: Context,
): Promise<readonly BytePath[]> {
  // What a restore kept for undoing is these very paths, whatever their names look like.
  if (manifest.purpose === "undo") return [];
  const files = entries.filter(({ type }) => type === "file" || type === "link");
  const wasFile = new Set(files.map(({ path }) => encodePath(path)));
  const scope = manifest.scope.filter((item) => item.kind === "path" && !wasFile.has(item.path));
  const { folders, globs } = sortScope(place.root, scope);
  // A glob may match nothing by now.
  const found = { named: [], folders: [...folders, ...globs.map(({ base }) => base)], globs: [] };
  const { isFolder } = createLooker(place.root);
  const there = { ...found, folders: found.folders.filter(isFolder) };
  if (there.folders.length === 0) return [];
  const isOfGit = manifest.type === "git_stash";
  const listing = isOfGit
    ? await listByGit(treeOf(place), there, place)
    : listByWalking(place.root, there, place.avoid);
  return listing.paths.filter(
    (path) => isWithinAny(path, folders) || (!isFolder(path) && globs.some((glob) => glob.matches(path))),
  );
}
