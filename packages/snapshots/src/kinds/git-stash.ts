import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type WorkTree, operationIn } from "@agent-checkpoint/git";
import { listByGit } from "../files/list-by-git.ts";
import type { Listing } from "../files/list-by-walking.ts";
import { refuseBehindLinks, sortScope } from "../files/sort-scope.ts";
import { countUncommitted } from "../git/read-changes.ts";
import { earlierStates } from "../git/earlier-states.ts";
import { copyBlobs, listUnconverted } from "../git/committed-files.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import { applyFiles, drillFiles } from "../restore/apply-files.ts";
import { SafetyError } from "../trouble.ts";
import { captureListing, exactListing, knownOf, nowNs } from "./capture-listing.ts";
import type { Capture, CaptureRequest, Kind } from "./kind.ts";
import { lookAtFiles } from "./look-at-files.ts";

/** Files of a work tree, tracked or not but not ignored, in a commit in the shape of a stash. */
export const gitStash: Kind = {
  type: "git_stash",
  isOfFiles: true,
  capture: async (request) => {
    const { place, scope, exactly } = request;
    if (exactly !== undefined) return captureListing(exactListing(exactly), request);
    const tree = treeOf(place);
    const sorted = sortScope(place.root, scope);
    refuseBehindLinks(place.root, sorted);
    const momentNs = nowNs();
    const isOfAreas = sorted.folders.length + sorted.globs.length > 0;
    const [listing, known] = await Promise.all([
      listByGit(tree, sorted, place.avoid),
      knownOf(place, isOfAreas ? Infinity : sorted.named.length),
    ]);
    const committed = await committedOf(tree, listing, known.entries);
    const vouched = { known, committed, userIndex: plainIndex(tree, listing), momentNs };
    const capture = await captureListing(listing, request, vouched);
    const oids = capture.asCommitted.flatMap(({ oid }) => oid ?? []);
    // A repository that has lost a content cannot vouch for it: everything is read then.
    const isCopied = oids.length === 0 || (await copyBlobs(tree, oids, place.layout));
    const whole = isCopied
      ? capture
      : await captureListing(listing, request, { ...vouched, committed: new Map(), userIndex: null });
    return withRepository(whole, listing, tree, request);
  },
  look: async (request) =>
    lookAtFiles(request, async (scope) => (await listByGit(treeOf(request.place), scope, request.place.avoid)).paths),
  drill: drillFiles,
  apply: applyFiles,
};

/** The files that are as committed, where many are not known yet: their contents are copied, not read. */
async function committedOf(
  tree: WorkTree,
  listing: Listing,
  known: ReadonlyMap<BytePath, unknown>,
): Promise<ReadonlyMap<BytePath, string>> {
  const unknown = listing.paths.filter((path) => !known.has(path));
  const { changes } = listing;
  if (unknown.length < MIN_COPIED || changes === null || changes.head === null) return new Map();
  const committed = await listUnconverted(tree);
  for (const { path } of [...changes.staged, ...changes.unstaged]) committed.delete(path);
  return committed;
}

const MIN_COPIED = 256;

/** The index of the work tree if another program can read it alone; null if it has parts elsewhere, or hides files. */
function plainIndex({ gitDir }: WorkTree, { hasUnwatched }: Listing): string | null {
  const isSplit = readdirSync(gitDir).some((name) => name.startsWith("sharedindex."));
  return isSplit || hasUnwatched ? null : join(gitDir, "index");
}

/** Adds what the repository knows: where HEAD stands, what was committed, and what index and HEAD have otherwise. */
async function withRepository(
  capture: Capture,
  { changes, nested }: Listing,
  tree: WorkTree,
  { writer }: CaptureRequest,
): Promise<Capture> {
  if (changes === null) return capture;
  const paths = new Set(capture.entries.map(({ path }) => path));
  const operation = operationIn(tree)?.name ?? null;
  const { earlier, assumptions } = await earlierStates(tree, { changes, entries: capture.entries, nested, writer });
  return {
    ...capture,
    assumptions: [
      ...capture.assumptions,
      ...assumptions,
      ...(operation === null ? [] : [`A ${operation} is under way: it is left as it is, and so is the index.`]),
    ],
    uncommitted: countUncommitted(changes, (path) => paths.has(path)),
    git: { head: changes.head, branch: changes.branch, operation },
    earlier,
  };
}

function treeOf(place: Place): WorkTree {
  if (place.tree !== null) return place.tree;
  throw new SafetyError(
    "git",
    `\`${place.root}\` is not a git work tree, or no longer one.`,
    "Restore with --into, and copy from there.",
  );
}
