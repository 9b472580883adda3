import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationIn, type WorkTree } from "@agent-checkpoint/git";
import { type Captured, captureFiles, type CaptureOptions } from "../capture-files.ts";
import { type Changes, isAsIndexed, parseNames, readNamed, runGit } from "../git.ts";
import { isRemembered, recall, remember, type Remembered } from "../last-capture.ts";
import {
  deletedIn,
  exactListing,
  foldersOn,
  listByGit,
  listByWalking,
  type Listing,
  listNames,
  readScope,
  readTracked,
  repositoriesIn,
  type Tracked,
} from "../list-files.ts";
import { type Entry, hashStream, type Manifest, parseRow, parseStream, scanStream } from "../manifest.ts";
import { type BytePath, byBytes, decodePath, encodePath, foldersAbove, isWithinAny } from "../paths.ts";
import type { Context, Place } from "../place.ts";
import { createLooker, entryAt, walkFolder } from "../read-files.ts";
import { isListed, refuseBehindLinks, type ScopeItem, type SortedScope, sortScope } from "../scope.ts";
import { SafetyError } from "../trouble.ts";
import { applyFiles, drillFiles } from "./apply-files.ts";
import type { Capture, CaptureRequest, Kind, Look } from "./kind.ts";
import { type EarlierStates, earlierStates } from "./stash-parents.ts";

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
  readonly committed?: CaptureOptions["committed"];
  readonly userIndex?: string | null;
  /** What was captured last, and what of it may have changed; by default everything that is remembered. */
  readonly last?: LastEntries;
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
    const listing = exactListing(sorted.named, await readNamed(tree, sorted.named));
    return withRepository(await captureListing(listing, request, context), listing, { tree, request });
  }
  const key = keyOf("git_stash", request.scope, context);
  const isFirst = !isRemembered(place, key);
  const asked = Promise.all([
    readScope(tree, sorted),
    recall(place, key),
    isFirst ? readTracked(tree, sorted) : null,
    isFirst ? listUnconverted(tree) : null,
  ]);
  if (isFirst) request.writer.start();
  const [changes, before, early, plain] = await asked;
  const since = { key, before, momentNs };
  const isSame = before !== null && before.last.namedBy !== null && before.last.namedBy === namedBy(changes);
  const tracked = isSame ? null : (early ?? (await readTracked(tree, sorted)));
  if (before !== null && isOfAreas && (isSame || tracked?.names === before.last.names)) {
    const again = await captureSince(sorted, changes, { ...since, before }, { request, context, tree });
    if (again !== null) return again;
  }
  const found = { avoid: place.avoid, changes, tracked: tracked ?? (await readTracked(tree, sorted)) };
  const listing = isOfAreas ? await listByGit(tree, sorted, found) : exactListing(sorted.named, changes);
  const last = lastOf(before);
  const unknown = listing.paths.filter((path) => knownIn(last, path) === null).length;
  const isCopied = unknown >= SMALL && changes.head !== null;
  const committed = isCopied ? committedIn(found, plain ?? (await listUnconverted(tree))) : undefined;
  const userIndex = plainIndex(tree, found.tracked);
  const capture = await captureListing(listing, request, context, {
    ...since,
    last,
    userIndex,
    ...(committed && { committed }),
  });
  const held = heldBefore(before, last);
  const copied = new Set(capture.asCommitted.map(({ oid }) => oid ?? ""));
  /** Where contents are copied, those that HEAD has otherwise go with them. */
  const isHeld = (oid: string, isCommitted: boolean): boolean => {
    if (isCommitted && copied.size > 0 && oid.length === SHA1_LENGTH && !held.has(oid)) copied.add(oid);
    return held.has(oid) || copied.has(oid);
  };
  const whole = await withRepository(capture, listing, { tree, request, isHeld });
  if (await copyBlobs(tree, copied, place)) return whole;
  // A repository that has lost a content cannot vouch for it: everything is read then.
  return withRepository(await captureListing(listing, request, context, { ...since, last }), listing, {
    tree,
    request,
  });
}

const SHA1_LENGTH = 40;

/**
 * What shows that git tracks the same names as it did: the same commit, and the same files added to and removed from it.
 * Null before the first commit.
 */
function namedBy({ head, staged, unstaged }: Changes): string | null {
  const rows = [...staged, ...unstaged].filter(({ letter }) => letter !== "M" && letter !== "T");
  const named = rows.map(({ letter, path }) => `${letter}${path}`);
  return head === null ? null : hash("sha1", [head, ...named].join("\0"));
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
  { request, context, tree }: { readonly request: CaptureRequest; readonly context: Context; readonly tree: WorkTree },
): Promise<Capture | null> {
  const { place, limits } = context;
  const { last, dirty } = since.before;
  const untracked = new Set(changes.untracked);
  if (last.untracked.some((path) => !untracked.has(path)) || repositoriesIn(place.root, changes).length > 0)
    return null;
  const rows = rowsOf(changes).filter((path) => isListed(path, sorted) && !isWithinAny(path, place.avoid));
  const looked = new Set([...rows, ...last.unvouched, ...last.noted, ...sorted.named]);
  const entries = new Map<BytePath, Entry>();
  const isWhole = scanStream(last.text, (path, rest) => {
    if (dirty.has(path)) looked.add(path);
    const entry = looked.has(path) ? parseRow(path, rest) : null;
    if (entry !== null) entries.set(path, entry);
    return true;
  });
  const named = new Set(sorted.named);
  const listed = [...rows, ...[...looked].filter((path) => !named.has(path))];
  for (const folder of foldersOn(listed, sorted.folders)) looked.add(folder);
  const listing: Listing = {
    ...exactListing([...looked], changes),
    named,
    deleted: deletedIn(changes),
    names: last.names,
  };
  const before = { entries, touched: touchedSince(since.before) };
  const capture = await captureListing(listing, request, context, { ...since, last: before });
  const now = new Set(capture.entries.map(({ path }) => path));
  const isNearLimit =
    last.counts.bytes + capture.captured.bytes > limits.totalBytes || last.counts.files + now.size > limits.files;
  if (!isWhole || isNearLimit || [...entries.keys()].some((path) => !now.has(path))) return null;
  const held = heldBefore(since.before, before);
  return withRepository({ ...capture, base: last }, listing, { tree, request, isHeld: (oid) => held.has(oid) });
}

/** The paths that git has something to say about. */
function rowsOf({ staged, unstaged, untracked }: Changes): readonly BytePath[] {
  return [...new Set([...staged, ...unstaged].map(({ path }) => path)), ...untracked];
}

/** What was captured last, and what of it may have changed since. */
interface LastEntries {
  readonly entries: ReadonlyMap<BytePath, Entry>;
  readonly touched: ReadonlySet<BytePath>;
}

function lastOf(before: Remembered | null): LastEntries {
  if (before === null) return { entries: new Map(), touched: new Set() };
  const entries = parseStream(before.last.text) ?? [];
  return { entries: new Map(entries.map((entry) => [entry.path, entry])), touched: touchedSince(before) };
}

/** What the disk does not vouch for. */
function touchedSince({ last, dirty }: Remembered): ReadonlySet<BytePath> {
  return new Set([...last.unvouched, ...dirty]);
}

/** A file that is as it was captured last; null if that is not known. */
function knownIn({ entries, touched }: LastEntries, path: BytePath): Entry | null {
  const entry = entries.get(path);
  return entry?.type === "file" && !touched.has(path) ? entry : null;
}

/** The contents that the last snapshot has. */
function heldBefore(before: Remembered | null, { entries }: LastEntries): ReadonlySet<string> {
  const oids = [...entries.values()].flatMap(({ oid }) => oid ?? []);
  return new Set(before === null ? [] : [...before.last.held, ...oids]);
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
  const { key, before, momentNs, committed = () => undefined, userIndex = null } = vouched;
  const { entries: last, touched } = vouched.last ?? lastOf(before);
  const options = { root: place.root, limits, writer, last, touched, committed, leaveSecrets, progress, momentNs };
  const captured = await captureFiles(listing, options);
  const { entries, unread, excluded, skipped, read, asCommitted, hardLinks } = captured;
  const { names, changes, nested } = listing;
  const isVouched = (path: BytePath): boolean => (read.has(path) || unread.has(path)) && !nested.has(path);
  return {
    captured,
    asCommitted,
    entries,
    unread: captured.unchanged.size === 0 ? unread : new Set([...unread, ...captured.unchanged]),
    excluded,
    skipped,
    ignored: (changes?.ignored ?? []).filter((path) => !isWithinAny(path, place.avoid)).map(encodePath),
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
      await remember(place, key, {
        ...made,
        captured: { ...captured, read: new Map([...read].filter(([path]) => !nested.has(path))) },
        before,
        userIndex,
        names,
        namedBy: names === null || changes === null ? null : namedBy(changes),
        untracked: changes?.untracked ?? [],
        unvouched: [...omitted, ...others.map(({ path }) => path)],
        noted: [...folders.map(({ path }) => path), ...(changes === null ? [] : rowsOf(changes))],
      });
    },
  };
}

/** The ids of the contents of files that are as committed. */
function committedIn(
  { changes, tracked }: { readonly changes: Changes; readonly tracked: Tracked },
  plain: ReadonlySet<BytePath>,
): CaptureOptions["committed"] {
  const changed = new Set([...changes.staged, ...changes.unstaged].map(({ path }) => path));
  const { contents } = tracked;
  return (path) => (plain.has(path) && !changed.has(path) ? contents.get(path) : undefined);
}

/**
 * The files of the index that no attribute and no setting converts on their way to the disk: what git calls unchanged is
 * then on the disk byte for byte. None if contents may be far away.
 */
async function listUnconverted(tree: WorkTree): Promise<ReadonlySet<BytePath>> {
  const [settings, listed] = await Promise.all([
    runGit(["config", "--get-regexp", "^core\\.(autocrlf|eol)$"], { cwd: tree.root }),
    runGit(["ls-files", "-z", "--", PLAIN], { cwd: tree.root, hasPatterns: true }),
  ]);
  // The exit code 1 says that nothing is set.
  const isConverted = settings.ok ? /autocrlf (?!false$)/m.test(settings.stdout.toString()) : settings.exitCode !== 1;
  return new Set(isConverted || !listed.ok || isPartial(tree) ? [] : parseNames(listed.stdout));
}

const PLAIN = ":(top,attr:!text !crlf !eol !filter !ident !working-tree-encoding)";

function isPartial({ commonDir }: WorkTree): boolean {
  try {
    return /partialclone|promisor/i.test(readFileSync(join(commonDir, "config"), "utf8"));
  } catch {
    return true;
  }
}

/** The index of the work tree if another program can read it alone; null if it has parts elsewhere, or hides files. */
function plainIndex({ gitDir }: WorkTree, { hasUnwatched }: Tracked): string | null {
  const isSplit = readdirSync(gitDir).some((name) => name.startsWith("sharedindex."));
  return isSplit || hasUnwatched ? null : join(gitDir, "index");
}

/** Copies contents from the user's repository into the store as git has packed them; false if one is not there. */
async function copyBlobs(tree: WorkTree, oids: ReadonlySet<string>, { layout }: Place): Promise<boolean> {
  if (oids.size === 0) return true;
  const pack = join(layout.repository, "objects", "pack", "pack");
  const args = ["pack-objects", "--quiet", "--window=0", "--delta-base-offset", pack];
  const input = `${[...oids].join("\n")}\n`;
  return (await runGit(args, { cwd: tree.root, input, settings: ["pack.compression=1"] })).ok;
}

/** Adds what the repository knows: where HEAD stands, what was committed, and what index and HEAD have otherwise. */
async function withRepository(
  capture: Capture,
  { changes, nested }: Listing,
  {
    tree,
    request: { writer },
    isHeld = () => false,
  }: {
    readonly tree: WorkTree;
    readonly request: CaptureRequest;
    readonly isHeld?: (oid: string, isCommitted: boolean) => boolean;
  },
): Promise<Capture> {
  if (changes === null) return capture;
  const { entries } = capture;
  const captured = new Map(entries.map((entry) => [entry.path, entry]));
  const operation = operationIn(tree)?.name ?? null;
  const { earlier, assumptions } = await earlierStates(tree, changes, { entries, nested, writer, isHeld });
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
    remember: async (made) => capture.remember?.({ ...made, held: oidsOf(earlier) }),
  };
}

/** The contents of earlier states, each once and in order. */
function oidsOf(earlier: EarlierStates["earlier"]): readonly string[] {
  const states = [...(earlier?.values() ?? [])].flatMap(({ index, head }) => [index, head]);
  return [...new Set(states.flatMap(({ mode, oid }) => (mode === null ? [] : [oid])))].sort();
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
  const [before, listed] = await Promise.all([
    isLarge ? recall(place, keyOf(manifest.type, manifest.scope, context)) : null,
    listAreas(manifest, entries, context),
  ]);
  const touched = before === null ? null : touchedSince(before);
  // Mostly the snapshot is what was captured last: its entries need not be read and found a second time.
  const isLast = before !== null && hashStream(before.last.text) === manifest.tree;
  const last = isLast ? null : lastOf(before);
  const isKnown = (entry: Entry): boolean => entry.type === "file" && touched?.has(entry.path) === false;
  const now = entries.map((entry) => {
    const known = last === null ? (isKnown(entry) ? entry : null) : knownIn(last, entry.path);
    return known ?? at(entry.path);
  });
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
  const files = new Set(entries.flatMap(({ path, type }) => (type === "file" || type === "link" ? [path] : [])));
  const scope = manifest.scope.filter((item) => item.kind === "path" && !files.has(decodePath(item.path)));
  const { folders, globs } = sortScope(place.root, scope);
  // A glob may match nothing by now.
  const found = { named: [], folders: [...folders, ...globs.map(({ base }) => base)], globs: [] };
  const { isFolder } = createLooker(place.root);
  const there = { ...found, folders: found.folders.filter(isFolder) };
  if (there.folders.length === 0) return [];
  const isOfGit = manifest.type === "git_stash";
  const listing = isOfGit
    ? await listNames(treeOf(place), there, { avoid: place.avoid, entries })
    : listByWalking(place.root, there, place.avoid);
  return listing.paths.filter(
    (path) => isWithinAny(path, folders) || (!isFolder(path) && globs.some((glob) => glob.matches(path))),
  );
}
