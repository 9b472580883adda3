import { type LastCapture, captureKey, lookAtIndex, readLastCapture, writeLastCapture } from "../files/last-capture.ts";
import { areasOf, askChanges, listByGit, pathsOf } from "../files/list-by-git.ts";
import type { WorkTree } from "../git/find-work-tree.ts";
import type { Changes } from "../git/read-changes.ts";
import type { StashParts } from "../git/repeat-stash-commit.ts";
import type { BytePath } from "../paths/byte-path.ts";
import { beginByGit } from "./begin-by-git.ts";
import { captureAgain } from "./capture-again.ts";
import { captureListing, exactListing } from "./capture-listing.ts";
import type { Capture, CaptureRequest, Completion } from "./kind.ts";
import { recordCapture } from "./record-capture.ts";

/**
 * Captures the files of a work tree.
 * Folders that were captured before, and in which nothing seems to have changed, are not read again: while git still
 * looks, everything else is made ready on the guess that it will see no change either.
 */
export async function captureByGit(tree: WorkTree, request: CaptureRequest): Promise<Capture> {
  const { place, scope, limits, exactly } = request;
  if (exactly !== undefined) return captureListing(exactListing(exactly), request);
  const { sorted, momentNs, index, unstaged } = request.begun ?? beginByGit(tree, place, scope);
  const areas = areasOf(sorted);
  const key = captureKey(place.root, scope, limits);
  const remember = (last: LastCapture | null): void => {
    if (last !== null && lookAtIndex(tree).signature === last.index) writeLastCapture(place.layout, key, last);
  };

  const afresh = async (): Promise<Capture> => {
    const listing = await listByGit(tree, sorted, place.avoid, askChanges(tree, sorted, { unstaged }));
    const capture = await captureListing(listing, request, index.secondNs);
    const { changes } = listing;
    const isWorthIt =
      areas.length > 0 && capture.entries.length > WORTH_REMEMBERING && listing.repositories.length === 0;
    if (!isWorthIt || changes === null || index.isRacy(momentNs)) return capture;
    return {
      ...capture,
      remember: async (completion: Completion) => {
        await capture.remember(completion);
        const facts = { capture, listing, changes, areas, index: index.signature, stash: completion.stash ?? null };
        remember(await recordCapture(tree, facts, { avoid: place.avoid, momentNs }));
      },
    };
  };
  const last = areas.length === 0 ? null : readLastCapture(place.layout, key);
  const again =
    last?.index === index.signature
      ? captureAgain(last, {
          tree,
          place,
          paths: pathsOf(sorted),
          areas,
          unstaged,
          momentNs,
          otherwise: afresh,
          remember,
        })
      : null;
  return again ?? afresh();
}

const WORTH_REMEMBERING = 256;

/** What the commit needs of a capture. */
export interface GitCapture {
  readonly changes: Changes | null;
  readonly nested: ReadonlySet<BytePath>;
  /** What the commit of the same state was made of. */
  readonly stash?: StashParts;
}
