import { captureFiles } from "../files/capture-files.ts";
import type { Listing } from "../files/listing.ts";
import { readStatCache, type StatCache, writeStatCache } from "../files/stat-cache.ts";
import type { BytePath } from "../paths/byte-path.ts";
import { countUncommitted } from "../git/count-uncommitted.ts";
import type { Capture, CaptureRequest } from "./kind.ts";

/** Captures the files of a listing; from some hundreds on, what is known of them by their times is not read again. */
export async function captureListing(
  listing: Listing,
  request: CaptureRequest,
  recentSince: bigint | null = null,
): Promise<CapturedListing> {
  const { place, limits, pack, leaveSecrets, progress } = request;
  const isLarge = listing.paths.length > WORTH_A_CACHE;
  const cache = isLarge && leaveSecrets ? readStatCache(place.layout, place.root) : NO_CACHE;
  const options = { root: place.root, limits, pack, cache, leaveSecrets, progress, recentSince };
  const captured = await captureFiles(listing, options);
  const paths = new Set(listing.changes === null ? [] : captured.entries.map(({ path }) => path));
  return {
    entries: captured.entries,
    stateKeys: [],
    excluded: captured.excluded,
    skipped: captured.skipped,
    assumptions: [
      ...listing.assumptions,
      ...(captured.hardLinks === 0
        ? []
        : [
            `${captured.hardLinks} files have more than one name: a restore gives a name its contents back, not the connection.`,
          ]),
    ],
    lines: captured.lines,
    bytes: captured.bytes,
    uncommitted: listing.changes === null ? null : countUncommitted(listing.changes, (path) => paths.has(path)),
    details: {},
    remember: () => {
      if (isLarge && leaveSecrets) writeStatCache(place.layout, place.root, new Map([...cache, ...captured.known]));
    },
    context: listing,
    recent: captured.recent,
  };
}

/** A capture, and the files in it that were touched since the moment that was asked about. */
export interface CapturedListing extends Capture {
  readonly recent: readonly BytePath[];
}

/** A listing of these very paths. */
export function exactListing(paths: readonly BytePath[]): Listing {
  return {
    paths,
    named: new Set(paths),
    deleted: new Set(),
    nested: new Set(),
    repositories: [],
    unwatched: new Set(),
    skipped: [],
    assumptions: [],
    changes: null,
  };
}

const WORTH_A_CACHE = 256;
const NO_CACHE: StatCache = new Map();
