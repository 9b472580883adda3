import type { Change } from "../kinds/kind.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { AgentWrite } from "../writes/read-writes.ts";
import { type Activity, type Author, authorOf, isWithin, type ToolInterval } from "./activity.ts";

/** A change that is not the agent's, as far as is known, and how that is known. */
export interface ForeignChange {
  readonly path: BytePath;
  readonly why: string;
}

/** A restore that was made, and whether it touched a path. */
export interface PastRestore extends ToolInterval {
  readonly hasTouched: (path: BytePath) => boolean;
}

/** What is known about who changed what since a checkpoint. */
export interface Knowledge {
  readonly checkpointAt: Date;
  /** What agents were recorded to have written since. */
  readonly writes: readonly AgentWrite[];
  /** The paths that other sessions have made checkpoints of since, with the last one of each. */
  readonly claimed: ReadonlyMap<BytePath, string>;
  /** When tools of agents ran; null if unknown. */
  readonly activity: Activity | null;
  /** When this program itself brought something back, and what. */
  readonly restores: readonly PastRestore[];
  /** The times of what is at a path now. */
  readonly timesOf: (path: BytePath) => readonly Date[];
}

/**
 * The paths that someone else has changed since the agent: a restore would take their work away.
 * - Another session has made a checkpoint of the path since, as one does before changing it.
 * - It was changed at a time when no tool of an agent ran.
 * - Nothing is known of that time, writes of agents are recorded, and the path is not as the last of them left it.
 * What is as an agent's last write or a restore left it is no conflict; if nothing is known, a change counts as the agent's.
 */
export function foreignChanges(changes: readonly Change[], knowledge: Knowledge): readonly ForeignChange[] {
  const last = new Map(knowledge.writes.map((write) => [write.path, write]));
  return changes.flatMap(({ from, to: { path, type } }) => {
    if (from.type === "directory" || type === "directory") return [];
    const claim = knowledge.claimed.get(path);
    if (claim !== undefined) return [{ path, why: `another session has covered it since, with ${claim}` }];
    const write = last.get(path);
    if (write !== undefined && write.oid === from.oid) return [];
    // Of what is gone there are no times.
    const author = from.type === "absent" ? "unknown" : authorByTimes(path, knowledge);
    if (author === "someone else") return [{ path, why: "it was changed while no agent was at work" }];
    if (author === "agent" || knowledge.writes.length === 0) return [];
    const why =
      write === undefined
        ? "it was changed, and no agent is recorded to have written it"
        : "it was changed after the agent last wrote it";
    return [{ path, why }];
  });
}

function authorByTimes(path: BytePath, { checkpointAt, activity, restores, timesOf }: Knowledge): Author {
  const times = timesOf(path);
  const isRestored = restores.some(
    (restore) => times.some((time) => isWithin(time, restore, 0)) && restore.hasTouched(path),
  );
  if (isRestored) return "agent";
  return activity === null ? "unknown" : authorOf(times, activity, checkpointAt);
}
