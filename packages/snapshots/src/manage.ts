import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "@agent-checkpoint/files";
import { type CheckpointReport, reportOf } from "./report.ts";
import { outputOf, storeGit } from "./git.ts";
import { forgetAll } from "./last-capture.ts";
import { type CheckpointType, type Entry, isExpired, type Manifest, octal } from "./manifest.ts";
import type { Contents } from "./objects.ts";
import { encodePath } from "./paths.ts";
import { isOfPlace, refuseOptions, type ReportProgress, type SafetyOptions, type StoreLayout } from "./place.ts";
import { recover } from "./recover.ts";
import {
  findAnywhere,
  type FoundManifest,
  listIds,
  listManifests,
  loadCheckpoint,
  readManifest,
  refOf,
  refuseUnknown,
  withStore,
} from "./store.ts";
import { refuseOtherTypes, SafetyError, type Trouble, troubleOf } from "./trouble.ts";
import { perform, removeMirror } from "./workspace.ts";

/** How a checkpoint stands. */
export type CheckpointStatus = "ready" | "expired" | "damaged";

/** A checkpoint in a list; of a damaged one only the id is known. */
export interface ListedCheckpoint {
  readonly id: string;
  readonly status: CheckpointStatus;
  readonly isPinned: boolean;
  readonly type: CheckpointType | null;
  readonly purpose: Manifest["purpose"] | null;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly root: string | null;
  readonly summary: string | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

/** The snapshots of a root, the last one made first; on request of all work trees of the repository. */
export async function listCheckpoints(
  options: SafetyOptions & { readonly everyRoot?: boolean },
): Promise<{ readonly status: "listed"; readonly checkpoints: readonly ListedCheckpoint[] } | Trouble> {
  return perform(options, async ({ place, now }, contents) => {
    const found = await listManifests(place.layout, contents);
    const isShown = (each: FoundManifest): boolean =>
      options.everyRoot === true || "damage" in each || isOfPlace(each.manifest, place);
    const checkpoints = found.filter(isShown).map((each) => listed(each, now()));
    return { status: "listed" as const, checkpoints: checkpoints.toReversed() };
  });
}

function listed(found: FoundManifest, now: Date): ListedCheckpoint {
  const manifest = "damage" in found ? null : found.manifest;
  return {
    id: found.id,
    status: manifest === null ? "damaged" : isExpired(manifest, now) ? "expired" : "ready",
    isPinned: "isPinned" in found && found.isPinned,
    type: manifest?.type ?? null,
    purpose: manifest?.purpose ?? null,
    createdAt: manifest?.createdAt ?? null,
    expiresAt: manifest?.expiresAt ?? null,
    reason: manifest?.reason ?? null,
    session: manifest?.session ?? null,
    root: manifest?.root ?? null,
    summary: manifest?.summary ?? null,
    files: manifest?.counts.files ?? null,
    bytes: manifest?.counts.bytes ?? null,
  };
}

/** The id that a word stands for: itself, wherever it was made, `latest` for the last snapshot that was asked for here, or the beginning of one id. */
export async function resolveId(
  word: string,
  options: SafetyOptions,
): Promise<
  | {
      readonly status: "resolved";
      readonly id: string;
      readonly place?: { readonly root: string; readonly store: string };
    }
  | Trouble
> {
  const known = await findElsewhere(word, options).catch(troubleOf);
  if (known !== null) return "code" in known ? known : { status: "resolved", id: word, place: known };
  return perform({ ...options, auditAs: undefined }, async ({ place }, contents) => {
    if (word === "latest") {
      const found = (await listManifests(place.layout, contents)).flatMap((each) =>
        "manifest" in each ? [each.manifest] : [],
      );
      const last = found.findLast((manifest) => manifest.purpose === "asked" && isOfPlace(manifest, place));
      if (last !== undefined) return { status: "resolved" as const, id: last.id };
      throw new SafetyError("unknown-checkpoint", "There is no snapshot here yet.");
    }
    const isMeant = (id: string): boolean => word !== "" && (id.startsWith(word) || id.startsWith(`chk_${word}`));
    const ids = listIds(place.layout).filter(isMeant);
    if (ids.length <= 1) return { status: "resolved" as const, id: ids[0] ?? word };
    const advice = `Write more of it: ${ids.slice(0, 3).join(", ")}.`;
    throw new SafetyError("bad-input", `\`${word}\` is the beginning of ${ids.length} ids.`, advice);
  });
}

/** The place of an id, from whatever folder it is asked for; null if a place is given, or none is known. */
async function findElsewhere(word: string, options: SafetyOptions) {
  refuseOtherTypes("request", { word }, { word: "string" });
  refuseOptions(options);
  const isPlaceGiven = options.root !== undefined || options.store !== undefined;
  return isPlaceGiven ? null : findAnywhere(word, options.home);
}

/** Everything about one checkpoint. */
export interface ShownCheckpoint {
  readonly status: "shown";
  readonly state: CheckpointStatus;
  readonly isPinned: boolean;
  readonly manifest: Manifest;
  readonly report: CheckpointReport;
  readonly entries: readonly (Omit<Entry, "mode"> & { readonly mode: string })[];
}

/** Shows a checkpoint: its manifest, the report it was answered with, and what it holds. */
export async function showCheckpoint(id: string, options: SafetyOptions): Promise<ShownCheckpoint | Trouble> {
  return perform<ShownCheckpoint>(options, async ({ place: { layout }, now }, contents) => {
    refuseId(layout, id);
    const { manifest, entries } = await loadCheckpoint(layout, id, contents);
    const paths = entries.filter(({ type }) => type !== "directory").map(({ path }) => path);
    return {
      status: "shown",
      state: isExpired(manifest, now()) ? "expired" : "ready",
      isPinned: existsSync(join(layout.pins, id)),
      manifest,
      report: reportOf(manifest, paths, layout),
      entries: entries.map((entry) => ({ ...entry, path: encodePath(entry.path), mode: octal(entry.mode) })),
    };
  });
}

function refuseId(layout: StoreLayout, id: string): void {
  refuseOtherTypes("request", { id }, { id: "string" });
  refuseUnknown(layout, id);
}

/** Deletes one snapshot, expired, pinned and damaged or not, and what only it needed. */
export async function deleteCheckpoint(
  id: string,
  options: SafetyOptions,
): Promise<{ readonly status: "deleted"; readonly id: string; readonly notes: readonly string[] } | Trouble> {
  return perform(options, async (context, contents) => {
    const { layout } = context.place;
    refuseId(layout, id);
    return withStore(context, async () => {
      await deleteSnapshots(layout, [await readManifest(layout, id, contents)], context.now());
      return { status: "deleted" as const, id, notes: await dropUnneeded(layout) };
    });
  });
}

/** Pins a checkpoint, so that clean-up never takes it, or lets it go again. */
export async function pinCheckpoint(
  id: string,
  options: SafetyOptions & { readonly isPinned?: boolean },
): Promise<{ readonly status: "pinned" | "unpinned"; readonly id: string } | Trouble> {
  return perform(options, async (context) => {
    const { layout } = context.place;
    refuseId(layout, id);
    return withStore(context, async () => {
      const mark = join(layout.pins, id);
      if (options.isPinned !== false) writeFileSync(mark, `${context.now().toISOString()}\n`, { mode: 0o600 });
      else rmSync(mark, { force: true });
      return { status: options.isPinned === false ? ("unpinned" as const) : ("pinned" as const), id };
    });
  });
}

/** How thoroughly: that everything is there, or that every byte is what it was. */
export type VerifyLevel = "quick" | "full";

/** What a verification found. */
export interface Verification {
  readonly id: string;
  readonly verdict: "PASS" | "FAIL";
  readonly level: VerifyLevel;
  readonly hash: string | null;
  readonly entries: number;
  readonly failures: readonly string[];
}

export type VerifyResult =
  | { readonly status: "verified" | "found"; readonly verifications: readonly Verification[] }
  | Trouble;

/**
 * Verifies a checkpoint, or all of the store's; the answer is `found` if one failed.
 * Damage makes the store forget what it knows of files by their times, so that the next capture reads them and heals it.
 */
export async function verifyCheckpoints(
  id: string | null,
  options: SafetyOptions & { readonly level?: VerifyLevel },
): Promise<VerifyResult> {
  return perform(options, async ({ place: { layout }, progress }, contents) => {
    if (id !== null) refuseId(layout, id);
    const level = options.level ?? "full";
    if (!["quick", "full"].includes(level)) throw new SafetyError("bad-input", "`level` must be `quick` or `full`.");
    const fsck = ["fsck", "--full", "--no-dangling", "--no-progress"];
    // If git finds no fault in the whole store, the contents of no snapshot need a look of their own.
    const isAll = level === "full" && id === null && existsSync(layout.repository);
    const isSound = isAll && (await storeGit(layout, fsck)).ok;
    const verifications: Verification[] = [];
    for (const each of id === null ? listIds(layout) : [id])
      verifications.push(await verifyCheckpoint(layout, each, { level, isSound, progress, contents }));
    const isVerified = verifications.every(({ verdict }) => verdict === "PASS");
    if (!isVerified) forgetAll(layout);
    return { status: isVerified ? ("verified" as const) : ("found" as const), verifications };
  });
}

interface VerifyOptions {
  readonly level: VerifyLevel;
  /** Whether all objects of the store are known to be whole. */
  readonly isSound: boolean;
  readonly progress: ReportProgress;
  readonly contents: Contents;
}

async function verifyCheckpoint(layout: StoreLayout, id: string, options: VerifyOptions): Promise<Verification> {
  const { level, isSound, contents } = options;
  const loaded = await loadCheckpoint(layout, id, contents).catch(troubleOf);
  if ("code" in loaded) return { id, verdict: "FAIL", level, hash: null, entries: 0, failures: [loaded.message] };
  const { manifest, entries } = loaded;
  const bad = isSound ? [] : await badEntries(layout, entries, options);
  const failures = bad.map(({ path }) => `The contents of \`${encodePath(path)}\` are missing or damaged.`);
  return {
    id,
    verdict: bad.length === 0 ? "PASS" : "FAIL",
    level,
    hash: manifest.tree,
    entries: entries.length,
    failures,
  };
}

async function badEntries(
  layout: StoreLayout,
  entries: readonly Entry[],
  { contents, level, progress }: VerifyOptions,
): Promise<readonly Entry[]> {
  const held = entries.filter(({ oid }) => oid !== null);
  const bad: Entry[] = [];
  if (level === "full") {
    for (const [done, entry] of held.entries()) {
      if (done % 256 === 0) progress({ step: "verifying", done, total: held.length });
      if (!(await contents.isWhole(entry.oid ?? ""))) bad.push(entry);
    }
    return bad;
  }
  const input = [...new Set(held.map(({ oid }) => oid))].map((oid) => `${oid}\n`).join("");
  const result = await storeGit(layout, ["cat-file", "--batch-check"], { input });
  const lines = result.ok ? result.stdout.toString("latin1").split("\n") : [];
  const found = new Set(lines.flatMap((line) => (line.endsWith(" missing") ? [] : line.slice(0, line.indexOf(" ")))));
  return held.filter(({ oid }) => !found.has(oid ?? ""));
}

export interface GcOptions extends SafetyOptions {
  /** Deletes what may go; otherwise it is only listed. */
  readonly apply?: boolean;
  readonly youngMs?: number;
  readonly liveSessions?: readonly string[];
}

/** What becomes of a checkpoint, and why. */
export interface GcDecision {
  readonly id: string;
  readonly keep: boolean;
  readonly reason: string;
}

/** What clean-up decided, and what it freed. */
export type GcResult =
  | {
      readonly status: "planned" | "collected";
      readonly decisions: readonly GcDecision[];
      readonly freedBytes: number;
      readonly notes: readonly string[];
    }
  | Trouble;

/** Lists or deletes expired snapshots; deletions are recorded in the store's `deleted.jsonl`. */
export async function collectGarbage(options: GcOptions): Promise<GcResult> {
  return perform(options, async (context, contents) => {
    const { layout } = context.place;
    const rules = { now: context.now(), youngMs: options.youngMs ?? HOUR, liveSessions: options.liveSessions ?? [] };
    const decide = async () => {
      const found = await listManifests(layout, contents);
      const candidates: Candidate[] = [];
      const quick = { level: "quick", isSound: false, progress: () => undefined, contents } as const;
      for (const each of found) {
        const isSound = "manifest" in each && (await verifyCheckpoint(layout, each.id, quick)).verdict === "PASS";
        const { manifest, isPinned } = "manifest" in each ? each : { manifest: null, isPinned: false };
        candidates.push({ id: each.id, manifest, isPinned, isSound });
      }
      const decisions = planGc(candidates, rules);
      return { decisions, gone: found.filter((_, index) => decisions[index]?.keep === false) };
    };
    if (options.apply !== true || !existsSync(layout.repository))
      return { status: "planned" as const, decisions: (await decide()).decisions, freedBytes: 0, notes: [] };
    return withStore(context, async () => {
      const notes = await recover(context, contents);
      const { decisions, gone } = await decide();
      const before = sizeOf(layout);
      await deleteSnapshots(layout, gone, context.now());
      const stayed = await dropUnneeded(layout);
      const freedBytes = Math.max(0, before - sizeOf(layout));
      return { status: "collected" as const, decisions, freedBytes, notes: [...notes, ...stayed] };
    });
  });
}

const HOUR = 3_600_000;

/** A checkpoint as clean-up sees it. */
export interface Candidate {
  readonly id: string;
  /** Null if the manifest is damaged. */
  readonly manifest: Manifest | null;
  readonly isPinned: boolean;
  /** Whether it passes verification. */
  readonly isSound: boolean;
}

export interface GcRules {
  readonly now: Date;
  /** Checkpoints younger than this stay. */
  readonly youngMs: number;
  /** The last checkpoint of these sessions stays; so does that of any session whose last one is younger than a day. */
  readonly liveSessions: readonly string[];
}

/** Decides what may be deleted: only expired snapshots that are not needed any more. */
export function planGc(candidates: readonly Candidate[], rules: GcRules): readonly GcDecision[] {
  const last = lastOfLiveSessions(candidates, rules);
  return candidates.map((candidate) => {
    const reason = KEEP.find(({ holds }) => holds(candidate, rules, last))?.reason;
    return { id: candidate.id, keep: reason !== undefined, reason: reason ?? "expired" };
  });
}

/** The reasons to keep a checkpoint; the first that holds is named. */
const KEEP: readonly {
  readonly reason: string;
  readonly holds: (candidate: Candidate, rules: GcRules, last: ReadonlySet<string>) => boolean;
}[] = [
  { reason: "damaged: look at it yourself", holds: ({ manifest }) => manifest === null },
  { reason: "pinned", holds: ({ isPinned }) => isPinned },
  { reason: "not expired", holds: ({ manifest }, { now }) => manifest !== null && !isExpired(manifest, now) },
  { reason: "too young", holds: ({ manifest }, { now, youngMs }) => ageOf(manifest, now) < youngMs },
  { reason: "the last one of a live session", holds: ({ id }, _, last) => last.has(id) },
  { reason: "does not pass verification: look at it yourself", holds: ({ isSound }) => !isSound },
];

function ageOf(manifest: Manifest | null, now: Date): number {
  return manifest === null ? 0 : now.getTime() - new Date(manifest.createdAt).getTime();
}

function lastOfLiveSessions(candidates: readonly Candidate[], { now, liveSessions }: GcRules): ReadonlySet<string> {
  const last = new Map<string, Manifest>();
  const manifests = candidates.flatMap(({ manifest }) => manifest ?? []);
  for (const manifest of manifests.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)))
    if (manifest.session !== null) last.set(manifest.session, manifest);
  const isLive = (session: string, manifest: Manifest): boolean =>
    liveSessions.includes(session) || ageOf(manifest, now) < 24 * HOUR;
  return new Set([...last].filter(([session, manifest]) => isLive(session, manifest)).map(([, { id }]) => id));
}

/** Deletes snapshots by their refs, all in one step, after a record of them. */
async function deleteSnapshots(layout: StoreLayout, gone: readonly FoundManifest[], now: Date): Promise<void> {
  if (gone.length === 0) return;
  const lines = gone.map((found) => `${JSON.stringify({ at: now.toISOString(), ...found })}\n`);
  appendLine(join(layout.folder, "deleted.jsonl"), lines.join(""));
  const input = gone.map(({ id }) => `delete ${refOf(id)}\n`);
  outputOf(await storeGit(layout, ["update-ref", "--stdin"], { input }));
  for (const found of gone) {
    rmSync(join(layout.pins, found.id), { force: true });
    if ("manifest" in found) removeMirror(found.manifest, now);
  }
}

/**
 * Drops the objects that no snapshot needs, and gives what had to stay.
 * A pack is rewritten only if there is room for what is needed of it, so that a full disk can be cleaned up too.
 */
async function dropUnneeded(layout: StoreLayout): Promise<readonly string[]> {
  const reached = await storeGit(layout, ["rev-list", "--objects", "--no-object-names", "--all"]);
  if (!reached.ok) return ["A snapshot is damaged, and what it needs cannot be known: all contents stay in the store."];
  const needed = new Set(reached.stdout.toString("latin1").split("\n"));
  const notes: string[] = [];
  await storeGit(layout, ["prune", "--expire=now"]);
  const folder = join(layout.repository, "objects", "pack");
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".idx"))) {
    const pack = join(folder, name.slice(0, -".idx".length));
    const shown = outputOf(await storeGit(layout, ["show-index"], { input: [readFileSync(`${pack}.idx`)] }));
    const oids = shown
      .toString("latin1")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    const live = oids.filter((oid) => needed.has(oid));
    if (live.length === oids.length) continue;
    const problem = live.length === 0 ? null : await rewrite(layout, pack, live);
    if (problem !== null) notes.push(problem);
    else for (const end of [".idx", ".rev", ".pack"]) rmSync(pack + end, { force: true });
  }
  return notes;
}

async function rewrite(layout: StoreLayout, pack: string, live: readonly string[]): Promise<string | null> {
  const { bavail, bsize } = statfsSync(layout.folder);
  if (bavail * bsize < statSync(`${pack}.pack`).size) return `There is no room to make ${pack}.pack smaller: it stays.`;
  const args = ["pack-objects", "--quiet", "--delta-base-offset", join(layout.repository, "objects", "pack", "pack")];
  const packed = await storeGit(layout, args, { input: [`${live.join("\n")}\n`] });
  return packed.ok ? null : `${pack}.pack holds a damaged content that a snapshot needs: it stays.`;
}

function sizeOf({ repository }: StoreLayout): number {
  const names = readdirSync(join(repository, "objects"), { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(join(repository, "objects", name)).size, 0);
}
