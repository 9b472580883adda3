import { askChanges, listByGit } from "../files/list-by-git.ts";
import {
  captureKey,
  changesKey,
  indexSignature,
  isSameToGit,
  isSameToLookAt,
  type LoadedCapture,
  readLastCapture,
  watchedPaths,
  writeLastCapture,
} from "../files/last-capture.ts";
import type { Listing } from "../files/listing.ts";
import { refuseBehindLinks, sortScope } from "../files/sort-scope.ts";
import { countUncommitted } from "../git/count-uncommitted.ts";
import type { WorkTree } from "../git/find-work-tree.ts";
import type { Changes } from "../git/read-changes.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, decodePath, encodePath } from "../paths/byte-path.ts";
import { type CapturedListing, captureListing, exactListing } from "./capture-listing.ts";
import type { Capture, CaptureRequest } from "./kind.ts";

/**
 * Captures the files of a work tree.
 * Folders that were captured before, and in which git and the disk see no change, are not read again: their tree is
 * loaded while git still looks.
 */
export async function captureByGit(tree: WorkTree, request: CaptureRequest): Promise<Capture> {
  const { place, scope, limits, exactly } = request;
  if (exactly !== undefined) return captureListing(exactListing(exactly), request);
  const sorted = sortScope(place.root, scope);
  refuseBehindLinks(place.root, sorted);
  const index = indexSignature(tree);
  const asked = askChanges(tree, sorted);
  const hasFolders = sorted.folders.length + sorted.globs.length > 0;
  const key = captureKey(place.root, scope, limits);
  const loaded = hasFolders ? readLastCapture(place.layout, key) : null;
  if (loaded !== null && isSameToLookAt(loaded.last, place.root)) {
    const changes = await asked;
    if (isSameToGit(loaded.last, { tree, changes })) return sameAgain(loaded, changes);
  }
  const listing = await listByGit(tree, sorted, place.avoid, asked);
  const capture = await captureListing(listing, request);
  const isWorthIt =
    hasFolders && capture.entries.length > WORTH_REMEMBERING && listing.nested.size === 0 && listing.changes !== null;
  if (!isWorthIt) return capture;
  return {
    ...capture,
    remember: () => {
      capture.remember();
      if (index === indexSignature(tree)) rememberCapture(capture, listing, { tree, request, key, index });
    },
  };
}

const WORTH_REMEMBERING = 256;

/** The capture of a tree in which nothing has changed. */
function sameAgain({ last, readEntries }: LoadedCapture, changes: Changes): Capture {
  const leftOut = new Set([...last.excluded, ...last.skipped].map(({ path }) => decodePath(path)));
  const context: GitCapture = { changes, nested: new Set(), changed: last.changed.map(withDecodedPath) };
  return {
    get entries() {
      return readEntries();
    },
    stateKeys: [],
    excluded: last.excluded,
    skipped: last.skipped,
    assumptions: last.assumptions,
    lines: last.lines,
    bytes: last.bytes,
    uncommitted: countUncommitted(changes, (path) => !leftOut.has(path)),
    details: {},
    proven: { tree: last.tree, entries: last.entries, files: last.files },
    remember: () => undefined,
    context,
  };
}

/** What the commit needs of a capture. */
export interface GitCapture {
  readonly changes: Changes | null;
  readonly nested: ReadonlySet<BytePath>;
  /** The entries that differ from the index, where not all of them are at hand. */
  readonly changed?: readonly Entry[];
}

function withDecodedPath(entry: Entry): Entry {
  return { ...entry, path: decodePath(entry.path) };
}

function rememberCapture(
  capture: CapturedListing,
  { changes, unwatched }: Listing,
  {
    tree,
    request,
    key,
    index,
  }: { readonly tree: WorkTree; readonly request: CaptureRequest; readonly key: string; readonly index: string },
): void {
  if (changes === null) return;
  const { place } = request;
  const left = [...capture.excluded, ...capture.skipped].map(({ path }) => decodePath(path));
  const dirty = changes.unstaged.map(({ path }) => path);
  const isChanged = new Set([...dirty, ...changes.untracked]);
  const racy = capture.entries
    .filter(({ path, type }) => type === "file" && !capture.isKnown(path))
    .map(({ path }) => path);
  writeLastCapture(place.layout, key, {
    tree: `sha256:${hashEntries(capture.entries)}`,
    index,
    changes: changesKey(changes),
    entries: capture.entries.length,
    files: capture.entries.filter(({ type }) => type === "file" || type === "link").length,
    changed: capture.entries
      .filter(({ path }) => isChanged.has(path))
      .map((entry) => ({ ...entry, path: encodePath(entry.path) })),
    lines: capture.lines,
    bytes: capture.bytes,
    excluded: capture.excluded,
    skipped: capture.skipped,
    assumptions: capture.assumptions,
    watched: watchedPaths(tree.root, [...dirty, ...changes.untracked, ...unwatched, ...left, ...racy]),
    folders: capture.entries
      .filter(({ type }) => type === "directory")
      .map(({ path, mode }) => [encodePath(path), mode] as const),
  });
}
