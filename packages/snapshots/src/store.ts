import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, move, withLock, writeWhole } from "@agent-checkpoint/files";
import { type Entry, hashStream, isId, type Manifest, parseManifest, parseStream } from "./manifest.ts";
import { type Contents, openContents } from "./objects.ts";
import { makeFolder } from "./paths.ts";
import { type Context, layoutOf, nameOfRoot, type StoreLayout } from "./place.ts";
import { SafetyError } from "./trouble.ts";

/**
 * Runs work while no other process writes to the store, and creates the store if there is none.
 * If it fails with nothing in the store, a store that was made for it is removed again.
 */
export async function withStore<T>(context: Pick<Context, "place" | "lockWaitMs">, work: () => Promise<T>): Promise<T> {
  const { layout } = context.place;
  let outermost: string | null = null;
  let isLocked = false;
  const locked = async (): Promise<T> => {
    isLocked = true;
    // The process that held the lock before may have removed an empty store.
    ensureFolders(layout);
    if (!existsSync(layout.repository)) makeRepository(layout);
    try {
      return await work();
    } catch (error) {
      if (outermost !== null) emptyStore(layout);
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    if (lstatSync(layout.folder, { throwIfNoEntry: false }) === undefined)
      outermost = mkdirSync(layout.folder, { recursive: true, mode: 0o700 }) ?? null;
    try {
      ensureFolders(layout);
      const result = await withLock(layout.lock, { waitMs: context.lockWaitMs }, locked);
      if (result.ok) return result.value;
      const advice = `If that process is gone, delete ${layout.lock}.`;
      throw new SafetyError("locked", `The store is in use: ${result.detail}.`, advice);
    } catch (error) {
      if (outermost !== null) removeFolders(layout.folder, outermost);
      if (isLocked || errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;

function foldersOf({ indexes, journals, pins, tmp, writes }: StoreLayout): readonly string[] {
  return [indexes, journals, pins, tmp, writes];
}

/** Makes the folders of a store, readable by its owner only; a link in the place of one of them is refused. */
export function ensureFolders(layout: StoreLayout): void {
  for (const path of [layout.folder, ...foldersOf(layout)]) {
    makeFolder(path, 0o700);
    const found = lstatSync(path);
    if (!found.isDirectory()) throw new SafetyError("io", `${path} is not a folder.`, "Move it away and try again.");
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
}

/** Removes what is in a store that holds no snapshot and nothing else of worth. */
function emptyStore(layout: StoreLayout): void {
  try {
    if (listIds(layout).length > 0) return;
    rmSync(layout.indexes, { recursive: true, force: true });
    for (const folder of [layout.journals, layout.pins, layout.writes]) rmdirSync(folder);
    for (const path of [layout.tmp, layout.repository, layout.counter]) rmSync(path, { recursive: true, force: true });
  } catch {
    // A write was noted in this moment, which needs no lock.
  }
}

/** Takes a folder and those around it away, up to an outermost one, as long as there is nothing else in them. */
function removeFolders(folder: string, outermost: string): void {
  try {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
    if (folder !== outermost) removeFolders(dirname(folder), outermost);
  } catch {
    // Another process has begun to use it.
  }
}

/**
 * A repository that is made under another name and renamed is whole or not there. It takes nothing over from a person's
 * templates and settings, and no process.
 */
function makeRepository({ repository, tmp }: StoreLayout): void {
  const draft = join(tmp, "snapshots.git");
  rmSync(draft, { recursive: true, force: true });
  for (const folder of ["info", "objects/info", "objects/pack", "refs/snapshots"])
    mkdirSync(join(draft, folder), { recursive: true, mode: 0o700 });
  const files = { HEAD: "ref: refs/heads/none\n", config: CONFIG, "info/attributes": RAW };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(draft, name), text, { mode: 0o600 });
  move(draft, repository);
}

/** What the repository must not take over from a person's settings: bytes, names and times as they are, on the disk when told so. */
const CONFIG = `[core]
	repositoryFormatVersion = 0
	bare = true
	fileMode = true
	symlinks = true
	ignoreCase = false
	precomposeUnicode = false
	protectHFS = false
	protectNTFS = false
	autocrlf = false
	safecrlf = false
	checkStat = default
	trustctime = true
	ignoreStat = false
	splitIndex = false
	untrackedCache = false
	sharedRepository = umask
	compression = 1
	fsync = committed,reference
[fastimport]
	unpackLimit = 1
[pack]
	writeReverseIndex = false
[index]
	version = 2
	skipHash = true
`;

/** Whatever a work tree's own files of attributes say, nothing is converted. */
const RAW = "* -text -filter -ident !eol !crlf !working-tree-encoding\n";

/** A checkpoint as the store holds it. */
export interface Checkpoint {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/** What lies under an id: a manifest, or the reason why it cannot be trusted. */
export type FoundManifest =
  | { readonly id: string; readonly manifest: Manifest; readonly isPinned: boolean }
  | { readonly id: string; readonly damage: string };

/** Where the tree of a snapshot has its canonical stream, among files that are never captured. */
export const ENTRIES = ".checkpoints/entries";

/** Loads a checkpoint; a damaged one is refused. */
export async function loadCheckpoint(layout: StoreLayout, id: string, contents: Contents): Promise<Checkpoint> {
  const found = await readManifest(layout, id, contents);
  if ("damage" in found)
    throw new SafetyError("damaged", `${id}: ${found.damage}.`, "Run `checkpoint snapshot verify` for the others.");
  return { manifest: found.manifest, entries: await loadEntries(found.manifest, contents) };
}

/** The entries of a manifest, proven by their hash. */
export async function loadEntries({ id, tree }: Manifest, contents: Contents): Promise<readonly Entry[]> {
  const text = (await contents.object(`${refOf(id)}:${ENTRIES}`, "blob"))?.toString("latin1");
  if (text === undefined) throw new SafetyError("damaged", `${id}: its entries are missing or damaged.`);
  const entries = hashStream(text) === tree ? parseStream(text) : null;
  if (entries === null) throw new SafetyError("damaged", `${id}: its entries do not have their hash.`);
  return entries;
}

/** What lies under an id; an id without a checkpoint is refused. */
export async function readManifest(layout: StoreLayout, id: string, contents: Contents): Promise<FoundManifest> {
  refuseUnknown(layout, id);
  const commit = (await contents.object(refOf(id), "commit"))?.toString("utf8") ?? null;
  if (commit === null) return { id, damage: "its manifest cannot be read" };
  // The headers of a commit, its subject and its text are parted by empty lines.
  const manifest = parseManifest(commit.split("\n\n").slice(2).join("\n\n"));
  if (manifest === null || manifest.id !== id) return { id, damage: "its manifest was edited or torn" };
  return { id, manifest, isPinned: existsSync(join(layout.pins, id)) };
}

/** The ref of one snapshot; a text that is no id never becomes one. */
export function refOf(id: string): string {
  if (isId(id)) return `refs/snapshots/${id}`;
  const advice = "Ids look like chk_20310131_120000_a1b2c3.";
  throw new SafetyError("bad-input", `\`${id}\` is not the id of a snapshot.`, advice);
}

/** Refuses an id that no snapshot has. */
export function refuseUnknown(layout: StoreLayout, id: string): void {
  if (refOf(id) !== "" && existsSync(join(layout.refs, id))) return;
  const what = `There is no snapshot ${id} in ${layout.folder}.`;
  throw new SafetyError("unknown-checkpoint", what, "See `checkpoint snapshot list`, or add --root or --store.");
}

/** Everything in a store, in the order of its making. */
export async function listManifests(layout: StoreLayout, contents?: Contents): Promise<readonly FoundManifest[]> {
  const opened = contents ?? openContents(layout);
  try {
    const found: FoundManifest[] = [];
    for (const id of listIds(layout)) found.push(await readManifest(layout, id, opened));
    // A damaged one does not say when it was made, but its id does, to the second.
    return found.sort((a, b) => orderOf(a) - orderOf(b) || (a.id < b.id ? -1 : 1));
  } finally {
    if (contents === undefined) opened.close();
  }
}

function orderOf(found: FoundManifest): number {
  return "manifest" in found ? found.manifest.sequence : 0;
}

/** The ids in a store, by their names. */
export function listIds({ refs }: StoreLayout): readonly string[] {
  return existsSync(refs) ? readdirSync(refs).filter(isId).sort() : [];
}

/** Notes where the store of a workspace is, so that its snapshots are found from every folder; without the note they need `--root`. */
export function rememberStore({ home, place: { root, layout } }: Context): void {
  try {
    mkdirSync(storesKnownIn(home), { recursive: true, mode: 0o700 });
    writeWhole(
      join(storesKnownIn(home), nameOfRoot(root)),
      `${JSON.stringify({ root, store: layout.folder } satisfies KnownStore)}\n`,
      {
        isFlushed: false,
      },
    );
  } catch {
    // As in a read-only home.
  }
}

/** Where a snapshot was taken, anywhere on this machine; null if that is not known. */
export async function findAnywhere(id: string, home: string): Promise<KnownStore | null> {
  const known = storesKnownIn(home);
  if (!isId(id) || !existsSync(known)) return null;
  for (const name of readdirSync(known)) {
    const { root, store } = JSON.parse(readFileSync(join(known, name), "utf8")) as KnownStore;
    if (!listIds(layoutOf(store)).includes(id)) continue;
    // Work trees share a store.
    const found = (await listManifests(layoutOf(store))).find((each) => each.id === id);
    const own = found !== undefined && "manifest" in found ? found.manifest.root : root;
    return { root: existsSync(own) ? own : root, store };
  }
  return null;
}

/** A workspace, and the folder of its store. */
interface KnownStore {
  readonly root: string;
  readonly store: string;
}

function storesKnownIn(home: string): string {
  return join(home, "snapshots", "known");
}
