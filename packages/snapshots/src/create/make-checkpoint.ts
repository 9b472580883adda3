import { hash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@agent-checkpoint/files";
import type { Capture } from "../kinds/kind.ts";
import { findKind } from "../find-kind.ts";
import {
  createId,
  type Entry,
  hashEntries,
  hashStream,
  type LeftOut,
  type Manifest,
  type NextState,
  renderManifest,
  replaceIn,
  stateOf,
} from "../manifest.ts";
import {
  changeOf,
  type Contents,
  type NewCommit,
  openWriter,
  publishAgain,
  type TreeChange,
  writeLoose,
} from "../objects.ts";
import { type BytePath, diskPath, encodePath, foldersAbove } from "../paths.ts";
import type { Context, StoreLayout } from "../place.ts";
import { beginDraft, endDraft } from "../recover.ts";
import { blobId, readLink, readStable, readWhole } from "../read-files.ts";
import { itemOfPath, type ParsedRequest } from "../scope.ts";
import { type Checkpoint, ENTRIES, listManifests, refOf } from "../store.ts";
import { SafetyError, troubleOf } from "../trouble.ts";
import { readWrites } from "../writes.ts";
import { confidenceOf, shellQuote, summarise } from "../report.ts";

/** A checkpoint to be made, once it is clear what it is. */
export interface NewCheckpoint extends ParsedRequest {
  readonly purpose: Manifest["purpose"];
  /** These very paths, whatever they hold: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[];
}

/** A checkpoint that was just made: of a large tree its entries are those that may have changed since the last one. */
export interface MadeCheckpoint extends Checkpoint {
  /** The paths of everything in it but folders. */
  readonly paths: readonly BytePath[];
}

/**
 * Creates a checkpoint in a locked store: contents, then a drill, and last the commit, whose ref is the moment from which
 * the checkpoint exists. Whatever ends before that leaves nothing that counts.
 */
export async function makeCheckpoint(
  wanted: NewCheckpoint,
  context: Context,
  contents: Contents,
  refuse: (left: LeftOut) => Error | null = () => null,
): Promise<MadeCheckpoint> {
  const { place, step } = context;
  const { layout } = place;
  const now = context.now();
  const id = freeId(now, layout);
  beginDraft(layout, id);
  const writer = openWriter(layout);
  try {
    step("started");
    const isAsked = wanted.purpose === "asked";
    const unlimited = { ...context.limits, fileBytes: Infinity, totalBytes: Infinity };
    const capture = await findKind(wanted.type).capture(
      { scope: wanted.scope, exactly: wanted.exactly, writer, leaveSecrets: isAsked },
      isAsked ? context : { ...context, limits: unlimited },
    );
    const { base = null, entries } = capture;
    const state = base === null ? { ...stateOf(entries), changed: entries, gone: [] } : replaceIn(base, entries);
    const refusal = state.paths.length === 0 ? refuse(capture) : null;
    if (refusal !== null) throw refusal;
    step("captured");
    const stream = Buffer.from(state.text, "latin1");
    const isSame = base !== null && state.text === base.text;
    const oid = isSame ? base.oid : await writer.add(stream);
    await writer.flush();
    step("stored");
    if (!isSame && !(await contents.isWhole(oid))) writeLoose(layout, "blob", stream);
    const drilled = await drill(capture, wanted, { context, contents, beside: join(layout.tmp, `drill-${id}`) });
    step("drilled");
    const counts = {
      ...state.counts,
      bytes: capture.bytes ?? state.counts.bytes,
      uncommitted: capture.uncommitted ?? null,
    };
    const proven = { entries: drilled, provenBefore: counts.entries - drilled };
    const sequence = await nextNumber(layout, contents);
    const tree = hashStream(state.text);
    const manifest = manifestOf({ id, now, sequence, tree, counts, drill: proven }, capture, wanted, context);
    const commits = commitsOf(manifest, capture, { oid, now, state });
    const earlier = hash("sha1", JSON.stringify([...(capture.earlier ?? [])]));
    const again = isSame && base.earlier === earlier && !writer.isUsed() ? base : null;
    const last = commits.at(-1);
    const { tree: root, parents } =
      again === null || last === undefined
        ? await writer.publish(refOf(id), commits)
        : publishAgain(layout, refOf(id), { ...last, ...again });
    endDraft(layout, id);
    step("published");
    await capture.remember?.({
      id,
      tree: root,
      parents,
      earlier,
      oid,
      counts: state.counts,
      held: [],
      text: state.text,
    });
    return { manifest, entries, paths: state.paths };
  } catch (error) {
    await writer.abort();
    endDraft(layout, id);
    throw error;
  }
}

/** An id that is not taken. */
function freeId(now: Date, { refs }: StoreLayout): string {
  const id = createId(now);
  return existsSync(join(refs, id)) ? freeId(now, { refs } as StoreLayout) : id;
}

/** The number of the next snapshot; one whose counter is lost counts on from those that are there. */
async function nextNumber(layout: StoreLayout, contents: Contents): Promise<number> {
  const counted = existsSync(layout.counter) ? Number(readFileSync(layout.counter, "utf8")) : Number.NaN;
  const found = Number.isSafeInteger(counted) ? [] : await listManifests(layout, contents);
  const last = Math.max(counted || 0, ...found.map((each) => ("manifest" in each ? each.manifest.sequence : 0)));
  writeWhole(layout.counter, String(last + 1), { tmp: layout.tmp, isFlushed: false });
  return last + 1;
}

/**
 * Proves that a checkpoint can be brought back: into a folder of its own, by the code of a restore, compared by hash.
 * What an earlier drill has proven, or a commit of the user's vouches for, is not written out. Gives how many entries were.
 * A content that the store holds in a damaged copy is written once more.
 */
async function drill(
  capture: Capture,
  wanted: NewCheckpoint,
  { context, contents, beside }: { readonly context: Context; readonly contents: Contents; readonly beside: string },
): Promise<number> {
  const kind = findKind(wanted.type);
  const entries = unproven(capture);
  const rehearse = async (): Promise<void> => {
    const folder = createDrillFolder(entries, beside);
    try {
      const result = await kind.drill({ folder, entries, contents }, context);
      if (hashEntries(result) !== hashEntries(entries))
        throw new SafetyError("mismatch", "The drill brought back something else than was captured.");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  if (entries.length > 0)
    await rehearse().catch(async (error: unknown) => {
      if (!kind.isOfFiles || troubleOf(error).code !== "damaged") throw error;
      await heal(entries, context, contents);
      await rehearse();
    });
  return entries.length;
}

/** What was read, and the folders on the way to it. */
function unproven({ entries, unread = new Set(), base = null }: Capture): readonly Entry[] {
  if (unread.size === 0 && base === null) return entries;
  const read = entries.filter(({ path, type }) => type !== "directory" && !unread.has(path));
  const folders = new Set(read.flatMap(({ path }) => foldersAbove(path)));
  return entries.filter(({ path, type }) => (type === "directory" ? folders.has(path) : !unread.has(path)));
}

async function heal(
  entries: readonly Entry[],
  { place: { root, layout } }: Context,
  contents: Contents,
): Promise<void> {
  for (const { path, type, oid } of entries) {
    if (oid === null || (await contents.isWhole(oid))) continue;
    const at = diskPath(root, path);
    const read = type === "link" ? { value: readLink(at) } : readStable(at, readWhole);
    if (typeof read !== "string" && read.value !== null && blobId(read.value) === oid)
      writeLoose(layout, "blob", read.value);
  }
}

/** A new folder for a drill: in memory if it is small, otherwise beside the store, which has enough room. */
function createDrillFolder(entries: readonly Entry[], beside: string): string {
  const bytes = entries.reduce((sum, { size }) => sum + size + 4096, 0);
  if (bytes <= SMALL && hasRoomInMemory(bytes)) return mkdtempSync(join(MEMORY, "checkpoint-drill-"));
  mkdirSync(beside, { mode: 0o700 });
  return beside;
}

const MEMORY = "/dev/shm";
const SMALL = 64 * 1024 * 1024;

function hasRoomInMemory(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === "linux" && bavail * bsize > bytes * 4;
  } catch {
    return false;
  }
}

/** The manifest of a checkpoint that was asked for, captured and drilled. */
function manifestOf(
  facts: Pick<Manifest, "id" | "sequence" | "tree" | "counts" | "drill"> & { readonly now: Date },
  capture: Capture,
  wanted: NewCheckpoint,
  { place, session, program }: Context,
): Manifest {
  const { id, now, sequence, tree, counts, drill: drilled } = facts;
  const { root, workTree, layout, isDefaultStore } = place;
  const { isOfFiles } = findKind(wanted.type);
  const written = new Set(
    session === null || wanted.purpose === "undo"
      ? []
      : readWrites(place).writes.flatMap((write) => (write.session === session ? [write.path] : [])),
  );
  const isHeld = (path: BytePath): boolean => capture.entries.some((entry) => entry.path === path);
  const changedBefore = [...written].filter(isHeld);
  const store = isDefaultStore ? [] : ["--store", layout.folder];
  return {
    version: 2,
    id,
    sequence,
    type: wanted.type,
    purpose: wanted.purpose,
    createdAt: now.toISOString(),
    expiresAt: wanted.expiresAt?.toISOString() ?? null,
    reason: wanted.reason,
    session,
    root,
    workTree,
    scope:
      wanted.exactly?.map(
        (path) => (isOfFiles ? null : itemOfPath(path)) ?? { kind: "path", path: encodePath(path) },
      ) ?? wanted.scope,
    tree,
    counts,
    summary: capture.summary ?? summarise(counts),
    confidence: confidenceOf(capture, changedBefore.length),
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
    restoreCommand: [...program, "snapshot", "restore", id, "--root", root, ...store].map(shellQuote).join(" "),
    drill: drilled,
    git: capture.git ?? null,
    details: capture.details ?? {},
  };
}

/**
 * The commits of a snapshot. Where HEAD has a commit they are three, in the shape of a stash: the captured paths as HEAD
 * has them, as the index has them, and as they are; otherwise one. What is in no scope is in none of them, so that
 * applying the last one leaves it alone. Of a large tree only what has changed since the last snapshot is handed on.
 */
function commitsOf(
  manifest: Manifest,
  { entries, earlier = null, base = null }: Capture,
  {
    oid,
    now,
    state,
  }: { readonly oid: string; readonly now: Date; readonly state: Pick<NextState, "changed" | "gone"> },
): readonly NewCommit[] {
  const seconds = Math.floor(now.getTime() / 1000);
  const message = `checkpoint:${manifest.id}:${manifest.reason}\n\n${renderManifest(manifest)}`;
  const changes: readonly TreeChange[] = [
    { path: ENTRIES, mode: "100644", oid },
    ...state.gone.filter(({ type }) => type !== "directory").map(({ path }) => ({ path, mode: null, oid: "" })),
    ...state.changed.filter((entry) => entry.oid !== null).map(changeOf),
  ];
  const first = { seconds, tree: base?.tree ?? null, parents: [] };
  if (earlier === null) return [{ ...first, message, changes }];
  const same = changes.filter(({ path }) => !earlier.has(path));
  const states = [...earlier.values()];
  const now3 = entries.filter(({ path }) => earlier.has(path)).map(changeOf);
  const common = { seconds, tree: null };
  return [
    { ...first, message: "the captured paths as HEAD has them", changes: [...same, ...states.map(({ head }) => head)] },
    {
      ...common,
      message: "the captured paths as the index has them",
      parents: [1],
      changes: states.map(({ index }) => index),
    },
    { ...common, message, parents: [1, 2], changes: now3 },
  ];
}
