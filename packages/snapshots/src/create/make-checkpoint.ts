import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { hash } from "node:crypto";
import { join } from "node:path";
import { flushFolder, writeWhole } from "@agent-checkpoint/files";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { Context, ReportProgress } from "../context.ts";
import { readLink, readStable, readWhole } from "../files/entry-at.ts";
import { changeOf } from "../git/earlier-states.ts";
import type { Capture, Kind } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import { hashEntries, parseStream, renderStream } from "../manifest/canonical-stream.ts";
import { createId, isId } from "../manifest/checkpoint-id.ts";
import { type Counts, type Manifest, renderManifest } from "../manifest/manifest.ts";
import { type BytePath, diskPath, parentOf } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { ParsedRequest } from "../request/parse-request.ts";
import { type Contents, blobId, openContents } from "../store/contents.ts";
import { type Checkpoint, ENTRIES, listManifests } from "../store/load-checkpoint.ts";
import { type NewCommit, type TreeChange, openWriter, writeBeside } from "../store/object-writer.ts";
import { type StoreLayout, nameOfRoot, refOf, refsOf } from "../store/store-layout.ts";
import { SafetyError, troubleOf } from "../trouble.ts";
import { manifestOf } from "./manifest-of.ts";
import { NothingCaptured } from "./nothing-captured.ts";
import type { Entry } from "../manifest/entry.ts";

/** A checkpoint to be made, once it is clear what it is. */
export interface NewCheckpoint extends Omit<ParsedRequest, "type"> {
  readonly type: CheckpointType;
  readonly purpose: Manifest["purpose"];
  readonly program: readonly string[];
  /** These very paths, whatever they hold: what a restore is about to touch. */
  readonly exactly?: readonly BytePath[];
}

/**
 * Creates a checkpoint in a locked store: contents, then a drill, and last the commit, whose ref is the moment from which
 * the checkpoint exists. Whatever ends before that leaves nothing that counts.
 */
export async function makeCheckpoint(wanted: NewCheckpoint, context: Context): Promise<Checkpoint> {
  const { place, step, progress } = context;
  const { layout } = place;
  const kind = kindOf(wanted.type, context);
  const now = context.now();
  const id = freeId(now, layout);
  const draft = beginDraft(layout, id);
  const writer = openWriter(layout);
  const contents = openContents(layout);
  try {
    step("started");
    const limits = { ...context.limits, ...(wanted.purpose === "undo" ? UNLIMITED : {}) };
    const capture = await kind.capture({
      place,
      scope: wanted.scope,
      ...(wanted.exactly === undefined ? {} : { exactly: wanted.exactly }),
      limits,
      writer,
      leaveSecrets: wanted.purpose === "asked",
      progress,
    });
    const { isEmpty, ...counts } = countsOf(capture);
    if (isEmpty && wanted.purpose === "asked") throw new NothingCaptured(capture);
    step("captured");
    const stream = renderStream(capture.entries);
    const oid = await writer.add(stream);
    await writer.flush();
    step("stored");
    if (!(await contents.isWhole(oid))) writeBeside(layout, stream);
    const rehearse = () => drill({ kind, beside: join(layout.tmp, `drill-${id}`), capture, contents, progress });
    const drilled = await rehearse().catch(async (error: unknown) => {
      if (!kind.isOfFiles || troubleOf(error)?.code !== "damaged") throw error;
      await heal(capture, place, contents);
      return rehearse();
    });
    step("drilled");
    const sequence = await nextNumber(layout, contents);
    const tree = `sha256:${hash("sha256", stream)}`;
    const manifest = manifestOf({ id, now, sequence, tree, counts, capture, drill: drilled }, wanted, context);
    const last = await lastTree(place, capture, { oid, contents });
    const root = await writer.publish(refOf(id), commitsOf(manifest, capture, { oid, now, last }));
    flushFolder(refsOf(layout));
    endDraft(draft);
    step("published");
    rememberTree(place, capture, [id, root, oid]);
    await capture.remember();
    return { manifest, entries: capture.entries };
  } catch (error) {
    await writer.abort();
    sweepDraft(layout, draft);
    throw error;
  } finally {
    contents.close();
  }
}

/** Writes contents once more that the store holds in a damaged copy. */
async function heal({ entries, unread }: Capture, { root, layout }: Place, contents: Contents): Promise<void> {
  for (const { path, type, oid } of entries) {
    if (oid === null || unread.has(path) || (await contents.isWhole(oid))) continue;
    const read = type === "link" ? readLink(diskPath(root, path)) : readStable(diskPath(root, path), readWhole);
    if (typeof read !== "string" && blobId(read.value) === oid) writeBeside(layout, read.value);
  }
}

const UNLIMITED = { fileBytes: Infinity, totalBytes: Infinity };

/** An id that is not taken. */
function freeId(now: Date, layout: StoreLayout): string {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const id = createId(now);
    if (!existsSync(join(refsOf(layout), id))) return id;
  }
  throw new SafetyError("io", "No id is free.");
}

/** The number of the next snapshot; one whose counter is lost counts on from those that are there. */
async function nextNumber(layout: StoreLayout, contents: Contents): Promise<number> {
  const counted = existsSync(layout.counter) ? Number(readFileSync(layout.counter, "utf8")) : Number.NaN;
  const last = Number.isSafeInteger(counted)
    ? counted
    : Math.max(
        0,
        ...(await listManifests(layout, contents)).map((found) => ("manifest" in found ? found.manifest.sequence : 0)),
      );
  writeWhole(layout.counter, String(last + 1), { tmp: layout.tmp, isFlushed: false });
  return last + 1;
}

/**
 * The commits of a snapshot. Where HEAD has a commit they are three, in the shape of a stash: the captured paths as HEAD
 * has them, as the index has them, and as they are; otherwise one. What is in no scope is in none of them, so that
 * applying the last one leaves it alone.
 */
function commitsOf(
  manifest: Manifest,
  { entries, earlier }: Capture,
  { oid, now, last }: { readonly oid: string; readonly now: Date; readonly last: LastTree },
): readonly NewCommit[] {
  const seconds = Math.floor(now.getTime() / 1000);
  const subject = `checkpoint:${manifest.id}:${manifest.reason}`;
  const message = `${subject}\n\n${renderManifest(manifest)}`;
  const own: TreeChange = { path: ENTRIES, mode: "100644", oid };
  const first = { seconds, tree: last.tree, from: null, merge: [] };
  if (earlier === null) return [{ ...first, message, changes: [own, ...last.changes] }];
  const same = last.changes.filter(({ path }) => !earlier.has(path));
  const now3 = new Map(entries.map((entry) => [entry.path, entry]));
  const changed = [...earlier.keys()].flatMap((path) => {
    const entry = now3.get(path);
    return entry === undefined ? [] : [changeOf(entry)];
  });
  const base = [...earlier.values()].map(({ head }) => head);
  const index = [...earlier.values()].map((each) => each.index);
  const common = { seconds, tree: null };
  return [
    { ...first, message: `HEAD of ${subject}`, changes: [own, ...same, ...base] },
    { ...common, message: `index of ${subject}`, from: 1, merge: [], changes: index },
    { ...common, message, from: 1, merge: [2], changes: changed },
  ];
}

/** The tree of the last snapshot of a root, and what has to change in it; in an empty one everything. */
interface LastTree {
  readonly tree: string | null;
  readonly changes: readonly TreeChange[];
}

/** Of a large tree only what has changed since the last snapshot is handed on. */
async function lastTree(
  { layout, root }: Place,
  { entries }: Capture,
  { oid, contents }: { readonly oid: string; readonly contents: Contents },
): Promise<LastTree> {
  const files = entries.filter((entry) => entry.oid !== null);
  const everything = { tree: null, changes: files.map(changeOf) };
  if (files.length < LARGE) return everything;
  const [id = "", tree = "", stream] = readLast(layout, root);
  if (stream === oid && existsSync(join(refsOf(layout), id))) return { tree, changes: [] };
  const bytes = isId(id) ? await contents.object(`${refOf(id)}:${ENTRIES}`, "blob") : null;
  const before = bytes === null ? null : parseStream(bytes);
  if (before === null) return everything;
  const left = new Map(before.flatMap((entry) => (entry.oid === null ? [] : [[entry.path, entry]])));
  const changed = files.filter((entry) => {
    const same = left.get(entry.path);
    left.delete(entry.path);
    return same === undefined || same.oid !== entry.oid || changeOf(same).mode !== changeOf(entry).mode;
  });
  const gone = [...left.keys()].map((path): TreeChange => ({ path, mode: null, oid: "" }));
  return { tree, changes: [...gone, ...changed.map(changeOf)] };
}

const LARGE = 256;

/** Remembers the id of a snapshot, its tree, and the content that lists its entries. */
function rememberTree({ layout, root }: Place, { entries }: Capture, last: readonly string[]): void {
  if (entries.length < LARGE) return;
  writeWhole(lastPath(layout, root), last.join(" "), { tmp: layout.tmp, isFlushed: false });
}

function readLast(layout: StoreLayout, root: string): readonly string[] {
  const path = lastPath(layout, root);
  return existsSync(path) ? readFileSync(path, "utf8").split(" ") : [];
}

function lastPath({ indexes }: StoreLayout, root: string): string {
  return join(indexes, `${nameOfRoot(root)}.last`);
}

function countsOf({ entries, bytes, uncommitted }: Capture): Counts & { readonly isEmpty: boolean } {
  return {
    entries: entries.length,
    files: entries.filter(({ type }) => type === "file" || type === "link").length,
    bytes,
    uncommitted,
    isEmpty: entries.every(({ type }) => type === "directory"),
  };
}

/** Writes down which packs there are: if the snapshot never comes to exist, the others are what is left of it. */
function beginDraft(layout: StoreLayout, id: string): string {
  const draft = join(layout.tmp, id);
  writeFileSync(draft, JSON.stringify(packsIn(layout)), { mode: 0o600, flag: "wx" });
  return draft;
}

function endDraft(draft: string): void {
  rmSync(draft);
}

/** Removes what is left of a snapshot that was never published; under the lock nothing else has made a pack since. */
export function sweepDraft(layout: StoreLayout, draft: string): void {
  if (!existsSync(draft)) return;
  const text = readFileSync(draft, "utf8");
  // A torn list was written by a process that had made no pack yet.
  const before = text.endsWith("]") ? (JSON.parse(text) as readonly string[]) : packsIn(layout);
  const pack = join(layout.repository, "objects", "pack");
  for (const name of packsIn(layout)) if (!before.includes(name)) rmSync(join(pack, name), { force: true });
  rmSync(draft);
}

function packsIn({ repository }: StoreLayout): readonly string[] {
  return readdirSync(join(repository, "objects", "pack"));
}

export interface DrillOptions {
  readonly kind: Kind;
  /** A folder for it, if there is no room in memory. */
  readonly beside: string;
  readonly capture: Capture;
  readonly contents: Contents;
  readonly progress: ReportProgress;
}

/**
 * Proves that a checkpoint can be brought back: into a folder of its own, by the code of a restore, compared by hash.
 * What an earlier drill has proven, or a commit of the user's vouches for, is not written out.
 */
export async function drill({ kind, beside, capture, contents, progress }: DrillOptions): Promise<Manifest["drill"]> {
  const { entries, unread } = capture;
  const fresh = unread.size === 0 ? entries : unproven(entries, unread);
  const folder = createDrillFolder(fresh, beside);
  try {
    const result = await kind.drill({ folder, entries: fresh, contents, progress });
    if (hashEntries(result) !== hashEntries(fresh))
      throw new SafetyError("mismatch", "The drill brought back something else than was captured.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { entries: fresh.length, provenBefore: entries.length - fresh.length };
}

/** What was read, and the folders on the way to it. */
function unproven(entries: readonly Entry[], unread: ReadonlySet<BytePath>): readonly Entry[] {
  const read = entries.filter(({ path, type }) => type !== "directory" && !unread.has(path));
  const folders = new Set<BytePath>();
  for (const { path } of read)
    for (let folder = parentOf(path); folder !== "" && !folders.has(folder); folder = parentOf(folder))
      folders.add(folder);
  return entries.filter(({ path, type }) => (type === "directory" ? folders.has(path) : !unread.has(path)));
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
