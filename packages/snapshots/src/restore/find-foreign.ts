import type { Change } from "../kinds/kind.ts";
import { findKind } from "../find-kind.ts";
import type { Manifest } from "../manifest.ts";
import type { Contents } from "../objects.ts";
import { type BytePath, encodePath } from "../paths.ts";
import { type Context, isOfPlace } from "../place.ts";
import { createLooker } from "../read-files.ts";
import { listManifests, loadCheckpoint, loadEntries } from "../store.ts";
import { SafetyError, troubleOf } from "../trouble.ts";
import { type AgentWrite, readWrites } from "../writes.ts";
import type { PreparedRestore } from "./plan.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";

/** What someone else has changed, and whether anything is known at all about who changed what. */
export interface Foreign {
  readonly changes: readonly ForeignChange[];
  readonly isKnown: boolean;
}

/** Finds the changes of a plan that are not the agent's, from everything that is recorded and that the caller knows. */
export async function findForeign(
  { checkpoint: { manifest }, plan }: PreparedRestore,
  { activityOf }: Pick<RestoreRequest, "activityOf">,
  context: Context,
  contents: Contents,
): Promise<Foreign> {
  if (plan.changes.length === 0) return { changes: [], isKnown: true };
  const { place } = context;
  const claimed = await claimedByOthers(manifest, context, contents);
  const common = { checkpointAt: new Date(manifest.createdAt), claimed };
  // Times and writes are those of files.
  if (!findKind(manifest.type).isOfFiles) {
    const nothing = { writes: [], activity: null, restores: [], timesOf: () => [] };
    return { changes: foreignChanges(plan.changes, { ...common, ...nothing }), isKnown: false };
  }
  const noted = readWrites(place);
  const writes = noted.writes.filter(({ at }) => at >= manifest.createdAt);
  const activity = (await activityOf?.(manifest)) ?? null;
  const restores: PastRestore[] = [];
  for (const { from, to, undo } of noted.restores) {
    // The undo snapshot shows what a restore touched; without it, that is unknown.
    const loaded = await loadCheckpoint(place.layout, undo, contents).catch(troubleOf);
    const touched = new Set("entries" in loaded ? loaded.entries.map(({ path }) => path) : []);
    restores.push({ from, to, hasTouched: (path) => touched.has(path) });
  }
  const knowledge = { ...common, writes, activity, restores, timesOf: timesBelow(place.root) };
  return { changes: foreignChanges(plan.changes, knowledge), isKnown: writes.length > 0 || activity !== null };
}

/** What other sessions have made checkpoints of since, as one does before changing it. */
async function claimedByOthers(
  { sequence, session }: Manifest,
  { place }: Context,
  contents: Contents,
): Promise<ReadonlyMap<BytePath, string>> {
  const claimed = new Map<BytePath, string>();
  for (const found of await listManifests(place.layout, contents)) {
    if ("damage" in found) continue;
    const { manifest: other } = found;
    const isClaim = isOfPlace(other, place) && other.sequence > sequence && other.purpose === "asked";
    if (!isClaim || other.session === null || other.session === session) continue;
    for (const { path, type } of await loadEntries(other, contents))
      if (type !== "directory") claimed.set(path, other.id);
  }
  return claimed;
}

/** When the contents of a path, and the path itself, were last changed. */
function timesBelow(root: string): (path: BytePath) => readonly Date[] {
  const { look } = createLooker(root);
  return (path) => {
    const stats = look(path);
    return stats === null ? [] : [stats.mtimeNs, stats.ctimeNs].map((time) => new Date(Number(time / 1_000_000n)));
  };
}

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

/** A time in which tools of an agent ran; without an end they may still run. */
export interface ToolInterval {
  readonly from: Date;
  readonly to: Date | null;
}

/** When tools of agents ran, and since when that is known. */
export interface Activity {
  readonly since: Date;
  readonly intervals: readonly ToolInterval[];
}

/** Who made a change; `unknown` if the times do not show it. */
export type Author = "agent" | "someone else" | "unknown";

/**
 * Whose a change since a checkpoint is, by the times of what is there now: its contents' and its own (`mtime`, `ctime`).
 *
 * It is an agent's as soon as one of them falls into an interval: a copy may keep the contents' old time, and a mere
 * rename renews the other. A time before the checkpoint says nothing, since there was something else there then.
 */
export function authorOf(times: readonly Date[], activity: Activity, checkpointAt: Date): Author {
  const since = times.filter((time) => time >= checkpointAt);
  if (since.some((time) => activity.intervals.some((interval) => isWithin(time, interval, SLACK_MS)))) return "agent";
  return since.length === 0 || since.some((time) => time < activity.since) ? "unknown" : "someone else";
}

/** Whether a time lies in an interval, or this close to it. */
export function isWithin(time: Date, { from, to }: ToolInterval, slackMs: number): boolean {
  return time.getTime() >= from.getTime() - slackMs && (to === null || time.getTime() <= to.getTime() + slackMs);
}

/** A tool writes a moment after its call is recorded, and a hook of the agent a moment after its end. */
const SLACK_MS = 2000;

/** Refuses a restore over what someone else has changed. */
export function refuseForeign({ changes }: Foreign): void {
  if (changes.length === 0) return;
  throw new SafetyError(
    "changed-by-others",
    `${describeForeign(changes)}.`,
    "Restore the others with --scope, or give --force: what is there now is kept in a checkpoint either way.",
  );
}

/** What someone else has changed, in words. */
export function describeForeign(changes: readonly ForeignChange[]): string {
  const shown = changes.slice(0, MAX_SHOWN).map(({ path, why }) => `\`${encodePath(path)}\` (${why})`);
  const more = changes.length > MAX_SHOWN ? ` and ${changes.length - MAX_SHOWN} more` : "";
  return `Somebody else has changed ${changes.length} of the files: ${shown.join(", ")}${more}`;
}

const MAX_SHOWN = 5;
