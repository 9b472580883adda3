import { type LastCapture, settledSignatures, type WalkedSignatures } from "../files/last-capture.ts";
import type { Listing } from "../files/listing.ts";
import { walkedFolders } from "../files/walked-folders.ts";
import type { WorkTree } from "../git/find-work-tree.ts";
import { readIgnoreRules } from "../git/ignore-rules.ts";
import type { Changes } from "../git/read-changes.ts";
import type { StashParts } from "../git/repeat-stash-commit.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import { type BytePath, decodePath } from "../paths/byte-path.ts";
import type { CapturedListing } from "./capture-listing.ts";

export interface CaptureFacts {
  readonly capture: CapturedListing;
  readonly listing: Listing;
  readonly changes: Changes;
  readonly areas: readonly BytePath[];
  /** What the disk said of the index before git was asked. */
  readonly index: string;
  readonly stash: StashParts | null;
}

/**
 * What is remembered of a capture; null where it could be taken for the state of a moment that it is not of, because
 * something that git does not vouch for was touched during the capture, or shortly before it; or where it is cut short.
 */
export async function recordCapture(
  tree: WorkTree,
  { capture, listing, changes, areas, index, stash }: CaptureFacts,
  { avoid, momentNs }: { readonly avoid: ReadonlySet<BytePath>; readonly momentNs: bigint },
): Promise<LastCapture | null> {
  const { entries } = capture;
  // With more time there would be more of it.
  if (capture.skipped.some(({ rule }) => rule === "out-of-time")) return null;
  const dirty = changes.unstaged.map(({ path }) => path);
  const leftOut = [...capture.excluded, ...capture.skipped].map(({ path }) => decodePath(path));
  const paths = [...dirty, ...changes.untracked, ...listing.unwatched, ...listing.named, ...leftOut, ...capture.recent];
  const watched = settledSignatures(tree.root, paths, momentNs);
  const present = new Set([...leftOut, ...entries.filter(({ type }) => type !== "absent").map(({ path }) => path)]);
  if (watched === null || watched.some(([path, signature]) => signature === null && present.has(path))) return null;
  return {
    tree: `sha256:${hashEntries(entries)}`,
    index,
    changes,
    entries: entries.length,
    files: entries.filter(({ type }) => type === "file" || type === "link").length,
    lines: capture.lines,
    bytes: capture.bytes,
    excluded: capture.excluded,
    skipped: capture.skipped,
    assumptions: capture.assumptions,
    watched,
    modes: entries.filter(({ type }) => type === "directory").map(({ path, mode }) => [path, mode] as const),
    walked: await recordWalked(tree, { areas, listed: listing.paths, avoid, momentNs }),
    stash,
  };
}

/** By what one can tell later that no untracked file has come or gone; null where something is too new for that. */
export async function recordWalked(
  tree: WorkTree,
  request: {
    readonly areas: readonly BytePath[];
    readonly listed: readonly BytePath[];
    readonly avoid: ReadonlySet<BytePath>;
    readonly momentNs: bigint;
  },
): Promise<WalkedSignatures | null> {
  const { areas, momentNs } = request;
  const [rules, walked] = await Promise.all([readIgnoreRules(tree, momentNs), walkedFolders(tree, areas, request)]);
  const folders = walked === null ? null : settledSignatures(tree.root, [...walked.folders, ...walked.rules], momentNs);
  return rules === null || folders === null ? null : { folders, rules };
}
