import { listByGit } from "../files/list-by-git.ts";
import { operationIn, type WorkTree } from "../git/find-work-tree.ts";
import { repeatStashCommit } from "../git/repeat-stash-commit.ts";
import { writeStashCommit } from "../git/write-stash-commit.ts";
import type { Place } from "../place.ts";
import { applyFiles } from "../restore/apply-files.ts";
import { drillFiles } from "../restore/drill-files.ts";
import { SafetyError } from "../trouble.ts";
import { beginByGit } from "./begin-by-git.ts";
import { captureByGit, type GitCapture } from "./capture-by-git.ts";
import type { Capture, Kind } from "./kind.ts";
import { lookAtFiles } from "./look-at-files.ts";

/** Files of a work tree, tracked or not but not ignored, with a commit in the shape of a stash. */
export const gitStash: Kind = {
  type: "git_stash",
  isOfFiles: true,
  begin: (place, scope) => beginByGit(treeOf(place), place, scope),
  capture: async (request) => captureByGit(treeOf(request.place), request),
  complete: async ({ place, id, reason, now, capture, contents }) => {
    const tree = treeOf(place);
    const { changes, nested, stash } = gitCaptureOf(capture);
    if (changes === null) return { git: null, assumptions: [] };
    const operation = operationIn(tree);
    const facts = { head: changes.head, branch: changes.branch, operation };
    const underWay =
      operation === null ? [] : [`A ${operation} is under way: it is left as it is, and so is the index.`];
    if (stash !== undefined) {
      const again = repeatStashCommit({ layout: place.layout, parts: stash, id, reason, now });
      return {
        git: { ...facts, stash: again.oid },
        assumptions: [...stash.assumptions, ...underWay],
        drafts: again.drafts,
      };
    }
    const { oid, assumptions, parts } = await writeStashCommit({
      tree,
      layout: place.layout,
      id,
      reason,
      now,
      changes,
      entries: capture.entries,
      nested,
      contents,
    });
    return { git: { ...facts, stash: oid }, assumptions: [...assumptions, ...underWay], stash: parts };
  },
  look: async (request) =>
    lookAtFiles(request, async (scope) => (await listByGit(treeOf(request.place), scope, request.place.avoid)).paths),
  drill: drillFiles,
  apply: applyFiles,
};

function treeOf(place: Place): WorkTree {
  if (place.tree !== null) return place.tree;
  throw new SafetyError(
    "git",
    `\`${place.root}\` is no git work tree (any more).`,
    "Restore with --into, and copy from there.",
  );
}

function gitCaptureOf(capture: Capture): GitCapture {
  // The context is what captureByGit put there.
  return capture.context as GitCapture;
}
