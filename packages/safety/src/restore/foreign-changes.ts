import type { Change } from "../kinds/kind.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import type { AgentWrite } from "../writes/read-writes.ts";

/** A change that is not the agent's, as far as is known, and how that is known. */
export interface ForeignChange {
  readonly path: BytePath;
  readonly why: string;
}

/** What is known about who changed what since a checkpoint. */
export interface Knowledge {
  readonly manifest: Manifest;
  /** What agents were recorded to have written since. */
  readonly writes: readonly AgentWrite[];
  /** Checkpoints of the same root made since, with what they hold. */
  readonly later: readonly Checkpoint[];
}

/**
 * The paths that somebody else has changed since the agent: a restore would take their work away.
 * - Another session has made a checkpoint of the path since, as one does before changing it.
 * - Writes of agents are recorded since, and the path is not as the last of them left it.
 * Where no write is recorded at all, nobody can tell, and every change counts as the agent's.
 */
export function foreignChanges(
  changes: readonly Change[],
  { manifest, writes, later }: Knowledge,
): readonly ForeignChange[] {
  const last = new Map(writes.map((write) => [write.path, write]));
  const others = later.filter(
    ({ manifest: { session, purpose } }) => purpose === "asked" && session !== null && session !== manifest.session,
  );
  const claimed = new Map(
    others.flatMap(({ manifest: { id }, entries }) =>
      entries.filter(({ type }) => type !== "directory").map(({ path }) => [path, id] as const),
    ),
  );
  return changes.flatMap(({ from, to }): readonly ForeignChange[] => {
    if (from.type === "directory" || to.type === "directory") return [];
    const claim = claimed.get(to.path);
    if (claim !== undefined) return [{ path: to.path, why: `another session has covered it since, with ${claim}` }];
    if (writes.length === 0) return [];
    const write = last.get(to.path);
    if (write === undefined)
      return [{ path: to.path, why: "it was changed, and no agent is recorded to have written it" }];
    return write.sha256 === from.sha256 ? [] : [{ path: to.path, why: "it was changed after the agent last wrote it" }];
  });
}
