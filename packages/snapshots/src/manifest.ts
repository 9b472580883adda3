import { createHash, hash, randomInt } from "node:crypto";
import { byBytes, type BytePath } from "./paths.ts";
import type { ScopeItem } from "./scope.ts";

/** The kinds of checkpoint, as the contract names them. */
export const CHECKPOINT_TYPES = ["git_stash", "file_backup", "state_snapshot", "database_savepoint"] as const;

export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];

/** What can be at a path, by the letter of the canonical stream. */
const LETTERS = { file: "f", link: "l", directory: "d", absent: "-", value: "v", database: "b" } as const;

export type EntryType = keyof typeof LETTERS;

/** One path as it was: what it was, its permissions, its size and the id of its contents; `absent` is a recorded absence. */
export interface Entry {
  readonly path: BytePath;
  readonly type: EntryType;
  /** The permission bits; 0 if there are none. */
  readonly mode: number;
  readonly size: number;
  readonly oid: string | null;
}

/** Whether two entries stand for the same state. */
export function isSameState(a: Entry, b: Entry): boolean {
  return a.type === b.type && a.mode === b.mode && a.size === b.size && a.oid === b.oid;
}

/** The record that nothing is at a path. */
export function absentAt(path: BytePath): Entry {
  return { path, type: "absent", mode: 0, size: 0, oid: null };
}

/** The entry of a folder. */
export function folderAt(path: BytePath, mode = 0): Entry {
  return { path, type: "directory", mode, size: 0, oid: null };
}

/** In the order of the canonical stream. */
export function byPath(a: Entry, b: Entry): number {
  return byBytes(a.path, b.path);
}

/**
 * The canonical stream of a state, whose SHA-256 is the hash of a checkpoint:
 * a first line, then for every path in byte order
 * `<bytes in path>:<path> NUL <type letter> NUL <mode, four octal digits> NUL <size> NUL <oid or -> LF`.
 * As a string it has one character per byte.
 */
export function renderStream(entries: readonly Entry[]): string {
  return FIRST_LINE + entries.map(rowOf).join("");
}

function rowOf({ path, type, mode, size, oid }: Entry): string {
  return `${path.length}:${path}\0${LETTERS[type]}\0${octal(mode)}\0${size}\0${oid ?? "-"}\n`;
}

/** Permission bits as people read them. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

/** The entries of a canonical stream, or null if it is none. */
export function parseStream(text: string): readonly Entry[] | null {
  const entries: Entry[] = [];
  const isWhole = scanStream(text, (path, row) => {
    const entry = parseRow(path, row);
    if (entry !== null) entries.push(entry);
    return entry !== null;
  });
  return isWhole ? entries : null;
}

/** Goes through the rows of a stream, each with its path and the place of the rest; false if it is none, or at a row that is refused. */
export function scanStream(
  text: string,
  take: (path: BytePath, rest: string, start: number, end: number) => boolean,
): boolean {
  if (!text.startsWith(FIRST_LINE)) return false;
  for (let at = FIRST_LINE.length; at < text.length;) {
    const colon = text.indexOf(":", at);
    const length = Number(text.slice(at, colon));
    const end = text.indexOf("\n", colon + 1 + length) + 1;
    if (colon === -1 || end === 0 || !Number.isSafeInteger(length)) return false;
    const rest = colon + 1 + length;
    if (!take(text.slice(colon + 1, rest), text.slice(rest, end - 1), at, end)) return false;
    at = end;
  }
  return true;
}

/** The entry in a row of a stream; null if it is none. */
export function parseRow(path: BytePath, rest: string): Entry | null {
  const [nothing, letter = "", mode = "", size = "", oid = ""] = rest.split("\0");
  const type = TYPES.get(letter);
  if (nothing !== "" || type === undefined || oid === "" || !isSafe(path, type)) return null;
  return { path, type, mode: Number.parseInt(mode, 8), size: Number(size), oid: oid === "-" ? null : oid };
}

/** Whether a path stays below its root; keys of a state are no paths. */
function isSafe(path: string, type: EntryType): boolean {
  return type === "value" || type === "database" || (path !== "" && !UNSAFE.test(path));
}

/** A part that is empty, climbs, or belongs to git. */
const UNSAFE = /(?:^|\/)(?:\.git|\.{0,2})(?:\/|$)/;
const FIRST_LINE = "checkpoint-tree v2\n";
const TYPES: ReadonlyMap<string, EntryType> = new Map(
  Object.entries(LETTERS).map(([type, letter]) => [letter, type as EntryType]),
);

/** A state: its stream, what it counts, and the paths of everything but folders. */
export interface State {
  readonly text: string;
  readonly counts: Pick<Counts, "entries" | "files" | "bytes">;
  readonly paths: readonly BytePath[];
}

/** The state of entries, which are in order. */
export function stateOf(entries: readonly Entry[]): State {
  const paths = entries.flatMap(({ path, type }) => (type === "directory" ? [] : [path]));
  return { text: renderStream(entries), counts: countsOf(entries), paths };
}

/** A state that has come out of another one: which entries have changed or come, and what was in their place. */
export interface NextState extends State {
  readonly changed: readonly Entry[];
  readonly gone: readonly Entry[];
}

/** A state in which some paths may have changed or come; the others keep their rows. */
export function replaceIn(before: Omit<State, "paths">, entries: readonly Entry[]): NextState {
  const left = new Map(entries.map((entry) => [entry.path, entry]));
  const changed: Entry[] = [];
  const gone: Entry[] = [];
  const pieces: string[] = [];
  const paths: BytePath[] = [];
  const added = [...entries];
  let next = 0;
  let from = 0;
  const comesBefore = (path: BytePath | null): boolean =>
    next < added.length && (path === null || (added[next]?.path ?? "") < path);
  const insert = (): void => {
    const entry = added[next++];
    if (entry === undefined) return;
    pieces.push(rowOf(entry));
    if (entry.type !== "directory") paths.push(entry.path);
  };
  scanStream(before.text, (path, rest, start, end) => {
    if (comesBefore(path)) {
      pieces.push(before.text.slice(from, start));
      from = start;
      while (comesBefore(path)) insert();
    }
    const entry = left.get(path);
    if (entry === undefined) {
      if (rest[1] !== LETTERS.directory) paths.push(path);
      return true;
    }
    const old = parseRow(path, rest);
    left.delete(path);
    next += 1;
    if (entry.type !== "directory") paths.push(path);
    if (old !== null && isSameState(old, entry)) return true;
    if (old !== null) gone.push(old);
    changed.push(entry);
    pieces.push(before.text.slice(from, start), rowOf(entry));
    from = end;
    return true;
  });
  pieces.push(before.text.slice(from));
  while (comesBefore(null)) insert();
  const all = [...changed, ...left.values()];
  const [plus, minus] = [countsOf(all), countsOf(gone)];
  const { entries: count, files, bytes } = before.counts;
  const counts = {
    entries: count + plus.entries - minus.entries,
    files: files + plus.files - minus.files,
    bytes: bytes + plus.bytes - minus.bytes,
  };
  return { text: all.length === 0 ? before.text : pieces.join(""), counts, paths, changed: all, gone };
}

function countsOf(entries: readonly Entry[]): State["counts"] {
  const files = entries.filter(({ type }) => type === "file" || type === "link");
  const ofFiles = files.filter(({ type }) => type === "file");
  return { entries: entries.length, files: files.length, bytes: ofFiles.reduce((sum, { size }) => sum + size, 0) };
}

/** The hash of a state: the SHA-256 of its canonical stream. */
export function hashStream(text: string): string {
  return `sha256:${hash("sha256", Buffer.from(text, "latin1"))}`;
}

/** The hash of the state of entries. */
export function hashEntries(entries: readonly Entry[]): string {
  return hashStream(renderStream(entries));
}

/** A new id: `chk_YYYYMMDD_HHMMSS_xxxxxx`, in UTC, with six random characters. */
export function createId(now: Date): string {
  const [day = "", time = ""] = now.toISOString().split("T");
  const suffix = Array.from({ length: 6 }, () => randomInt(36).toString(36)).join("");
  return `chk_${day.replaceAll("-", "")}_${time.slice(0, 8).replaceAll(":", "")}_${suffix}`;
}

/** Whether a text is an id; only such a text ever becomes a file name. */
export function isId(text: string): boolean {
  return /^chk_\d{8}_\d{6}_[0-9a-z]{6,32}$/.test(text);
}

/** Something in scope that was left out: `excluded` by a rule about secrets, `skipped` for a limit or because it cannot be held. */
export interface Omission {
  /** Encoded by `encodePath`. */
  readonly path: string;
  /** The name of the rule or limit. */
  readonly rule: string;
  readonly reason: string;
}

/** What was left out of a capture. */
export interface LeftOut {
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
}

/** How much a checkpoint holds. */
export interface Counts {
  readonly entries: number;
  readonly files: number;
  readonly bytes: number;
  readonly uncommitted: number | null;
}

/** Everything about a checkpoint but the state itself, whose hash is `tree`. */
export interface Manifest extends LeftOut {
  readonly version: 2;
  readonly id: string;
  /** The number of the snapshot in the order of their making. */
  readonly sequence: number;
  readonly type: CheckpointType;
  /** Whether it was requested, or taken by a restore for undo. */
  readonly purpose: "asked" | "undo";
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly reason: string;
  readonly session: string | null;
  readonly root: string;
  /** The name of the work tree in its repository, which stays if the project is renamed; null without one. */
  readonly workTree: string | null;
  readonly scope: readonly ScopeItem[];
  /** `sha256:` and the hash of the canonical stream. */
  readonly tree: string;
  readonly counts: Counts;
  readonly summary: string;
  readonly confidence: number;
  readonly assumptions: readonly string[];
  /** What git ignored in scope, encoded; a folder stands for all that is in it. A restore never removes it. */
  readonly ignored: readonly string[];
  readonly restoreCommand: string;
  readonly drill: { readonly entries: number; readonly provenBefore: number };
  /** What is known of the repository: the commit that HEAD stood at, and a merge or the like under way; null without one. */
  readonly git: {
    readonly head: string | null;
    readonly branch: string | null;
    readonly operation: string | null;
  } | null;
  /** What a kind of its own needs at restore, such as the name of a database. */
  readonly details: Readonly<Record<string, string>>;
}

/** A manifest as the store holds it: JSON with a seal over everything else in it. */
export function renderManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, seal: sealOf(manifest) }, null, 2)}\n`;
}

/** The manifest in a text, or null if it was edited or torn. */
export function parseManifest(text: string): Manifest | null {
  try {
    const { seal, ...rest } = JSON.parse(text) as Manifest & { readonly seal?: string };
    // The seal proves that this very shape was written by renderManifest.
    return seal === sealOf(rest) && rest.version === 2 ? rest : null;
  } catch {
    return null;
  }
}

function sealOf(manifest: Manifest): string {
  return `sha256:${createHash("sha256").update(JSON.stringify(manifest)).digest("hex")}`;
}

/** Whether a checkpoint has expired: expiry only marks it, nothing is deleted by time. */
export function isExpired({ expiresAt }: Manifest, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}

/** A number of things in words. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
