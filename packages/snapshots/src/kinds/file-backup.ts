import { listByWalking } from "../files/list-by-walking.ts";
import { refuseBehindLinks, sortScope } from "../files/sort-scope.ts";
import { applyFiles, drillFiles } from "../restore/apply-files.ts";
import { captureListing, exactListing, knownOf, nowNs } from "./capture-listing.ts";
import type { Kind } from "./kind.ts";
import { lookAtFiles } from "./look-at-files.ts";

/** Files and folders of any place, ignored or not, with every folder and its permissions; git is not asked. */
export const fileBackup: Kind = {
  type: "file_backup",
  isOfFiles: true,
  capture: async (request) => {
    const { place, scope, exactly } = request;
    if (exactly !== undefined) return captureListing(exactListing(exactly), request);
    const sorted = sortScope(place.root, scope);
    refuseBehindLinks(place.root, sorted);
    const momentNs = nowNs();
    const listing = listByWalking(place.root, sorted, place.avoid);
    const known = await knownOf(place, listing.paths.length);
    return captureListing(listing, request, { known, committed: new Map(), userIndex: null, momentNs });
  },
  look: async (request) =>
    lookAtFiles(request, async (scope) => listByWalking(request.place.root, scope, request.place.avoid).paths),
  drill: drillFiles,
  apply: applyFiles,
};
