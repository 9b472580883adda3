import { captureFiles } from "../files/capture-files.ts";
import { type KnownFiles, readKnown, remember } from "../files/known-files.ts";
import type { Listing } from "../files/list-by-walking.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, encodePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { Capture, CaptureRequest } from "./kind.ts";

/** What a capture need not read. */
export interface Vouched {
  readonly known: KnownFiles;
  readonly committed: ReadonlyMap<BytePath, string>;
  /** The index of the user's that tells which files are as committed. */
  readonly userIndex: string | null;
  /** When git was asked, in nanoseconds. */
  readonly momentNs: bigint;
}

/** Captures the files of a listing. */
export async function captureListing(
  listing: Listing,
  { place, limits, writer, leaveSecrets, progress }: CaptureRequest,
  { known, committed, userIndex, momentNs }: Vouched = { ...NOTHING, momentNs: nowNs() },
): Promise<CapturedListing> {
  const captured = await captureFiles(listing, {
    root: place.root,
    limits,
    writer,
    known: known.entries,
    committed,
    leaveSecrets,
    progress,
    momentNs,
  });
  const { entries, unread, excluded, skipped, bytes, read, asCommitted, hardLinks } = captured;
  return {
    entries,
    unread,
    excluded,
    skipped,
    ignored: listing.ignored.map((path) => encodePath(path)),
    assumptions: [
      ...listing.assumptions,
      ...(hardLinks === 0
        ? []
        : [
            `${hardLinks} files have more than one name: a restore gives a name its contents back, not the connection.`,
          ]),
    ],
    bytes,
    uncommitted: null,
    details: {},
    git: null,
    earlier: null,
    asCommitted,
    remember: async () => {
      if (listing.paths.length <= CACHE_MIN_ENTRIES || !leaveSecrets) return;
      const own = read.filter(({ entry }) => !listing.nested.has(entry.path));
      await remember(place, { known, read: own, committed: asCommitted, userIndex });
    },
  };
}

/** A capture, and the entries in it that are as committed. */
export interface CapturedListing extends Capture {
  readonly asCommitted: readonly Entry[];
}

const NOTHING = { known: { entries: new Map(), isFirst: true }, committed: new Map(), userIndex: null } as const;

/** What is known of so many files below a root; of a few it is not worth asking. */
export async function knownOf(place: Place, count: number): Promise<KnownFiles> {
  return count > CACHE_MIN_ENTRIES ? readKnown(place) : NOTHING.known;
}

const CACHE_MIN_ENTRIES = 256;

/** The time now, in nanoseconds. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** A listing of these very paths. */
export function exactListing(paths: readonly BytePath[]): Listing {
  return {
    paths,
    named: new Set(paths),
    deleted: new Set(),
    nested: new Set(),
    hasUnwatched: false,
    ignored: [],
    assumptions: [],
    changes: null,
  };
}
