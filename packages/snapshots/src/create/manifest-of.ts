import type { Context } from "../context.ts";
import type { Capture } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Counts, Manifest } from "../manifest/manifest.ts";
import { encodePath } from "../paths/byte-path.ts";
import { itemOfPath } from "../request/item-path.ts";
import { changedBySession } from "../writes/read-writes.ts";
import { confidenceOf, restoreCommand, summarise } from "./report.ts";
import type { NewCheckpoint } from "./make-checkpoint.ts";

/** The result of making a checkpoint. */
export interface CheckpointFacts {
  readonly id: string;
  readonly now: Date;
  readonly tree: string;
  readonly counts: Counts;
  readonly sequence: number;
  readonly capture: Capture;
  readonly drill: Manifest["drill"];
}

/** The manifest of a checkpoint that was asked for, captured and drilled. */
export function manifestOf(facts: CheckpointFacts, wanted: NewCheckpoint, context: Context): Manifest {
  const { id, now, sequence, tree, counts, capture, drill } = facts;
  const { root, workTree, layout, isDefaultStore } = context.place;
  const { isOfFiles } = kindOf(wanted.type, context);
  const changedBefore = wanted.purpose === "asked" ? changedBySession(context, capture) : [];
  return {
    version: 2,
    id,
    sequence,
    type: wanted.type,
    purpose: wanted.purpose,
    createdAt: now.toISOString(),
    expiresAt: wanted.expiresAt?.toISOString() ?? null,
    reason: wanted.reason,
    session: context.session,
    root,
    workTree,
    scope:
      wanted.exactly === undefined
        ? wanted.scope
        : wanted.exactly.map(
            (path) => (isOfFiles ? null : itemOfPath(path)) ?? { kind: "path", path: encodePath(path) },
          ),
    tree,
    counts,
    summary: capture.summary ?? summarise(counts),
    confidence: confidenceOf({
      excluded: capture.excluded,
      skipped: capture.skipped,
      changedBefore: changedBefore.length,
    }),
    assumptions: [
      ...capture.assumptions,
      ...changedBefore.map(
        (path) =>
          `This session had already changed \`${encodePath(path)}\`: its state before that is not in this checkpoint.`,
      ),
    ],
    excluded: capture.excluded,
    skipped: capture.skipped,
    ignored: capture.ignored ?? [],
    restoreCommand: restoreCommand(wanted.program, { id, root, store: isDefaultStore ? null : layout.folder }),
    drill,
    git: capture.git,
    details: capture.details,
  };
}
