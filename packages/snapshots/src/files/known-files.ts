import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@agent-checkpoint/files";
import { parseNames } from "../git/read-changes.ts";
import { parseStream, renderStream } from "../manifest/canonical-stream.ts";
import { byPath, type Entry } from "../manifest/entry.ts";
import { type BytePath, diskPath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import { storeGit } from "../store/repository.ts";
import { nameOfRoot, type StoreLayout } from "../store/store-layout.ts";
import { signatureOf } from "./entry-at.ts";

/** What earlier captures know of the files below a root, as far as the disk says that they are as they were. */
export interface KnownFiles {
  readonly entries: ReadonlyMap<BytePath, Entry>;
  /** The tree of the last capture of that scope, and its entries; null if there is none. */
  readonly isFirst: boolean;
}

/** A file as it was captured, with what the disk said of it. */
export interface CapturedFile {
  readonly entry: Entry;
  readonly signature: string;
}

/**
 * Asks a private index of git's which files are as they were when they were last captured.
 * The index knows their times and contents; what it does not hold, such as all permission bits, is in a file beside it,
 * which names the very index that it belongs to.
 */
export async function readKnown({ layout, root }: Place): Promise<KnownFiles> {
  const { index, beside } = filesOf(layout, root);
  const bytes = readBeside(beside);
  if (bytes === null || bytes.signature !== indexSignature(index)) return { entries: new Map(), isFirst: true };
  const dirty = await indexGit({ layout, root }, ["diff-files", "--name-only", "-z"]);
  const entries = parseStream(bytes.stream);
  if (!dirty.ok || entries === null) return { entries: new Map(), isFirst: true };
  const known = new Map(entries.map((entry) => [entry.path, entry]));
  for (const path of parseNames(dirty.stdout)) known.delete(path);
  return { entries: known, isFirst: false };
}

/** What a capture has learnt. */
export interface Learnt {
  readonly known: KnownFiles;
  /** What was read from the disk. */
  readonly read: readonly CapturedFile[];
  /** What git vouches for by an index of the user's, which must be the first thing that is known. */
  readonly committed: readonly Entry[];
  readonly userIndex: string | null;
}

/** Remembers what a capture has learnt; a file that has changed since is not remembered. */
export async function remember({ layout, root }: Place, learnt: Learnt): Promise<void> {
  const { known, read, committed, userIndex } = learnt;
  if (read.length + committed.length === 0) return;
  const { index, beside } = filesOf(layout, root);
  rmSync(beside, { force: true });
  if (known.isFirst) rmSync(index, { force: true });
  const isCopied = known.isFirst && userIndex !== null && copyIndex(userIndex, index);
  const updated = await indexGit(
    { layout, root },
    ["update-index", "-z", "--add", "--remove", "--replace", "--info-only", "--stdin"],
    [...read.map(({ entry }) => entry), ...(isCopied ? [] : committed)].map(({ path }) => `${path}\0`),
  );
  if (!updated.ok) return;
  const same = read.filter(({ entry, signature }) => {
    const stats = lstatSync(diskPath(root, entry.path), { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && signatureOf(stats) === signature;
  });
  const entries = new Map(known.entries);
  for (const entry of [...committed, ...same.map((file) => file.entry)]) entries.set(entry.path, entry);
  const stream = renderStream([...entries.values()].sort(byPath));
  const head = Buffer.from(`${indexSignature(index)}\n`);
  writeWhole(beside, Buffer.concat([head, stream]), { tmp: layout.tmp, isFlushed: false });
}

/** Forgets what is known of the files of all roots, as when contents turned out to be damaged. */
export function forgetAll({ indexes }: StoreLayout): void {
  rmSync(indexes, { recursive: true, force: true });
}

function filesOf({ indexes }: StoreLayout, root: string): { readonly index: string; readonly beside: string } {
  const name = join(indexes, nameOfRoot(root));
  return { index: `${name}.index`, beside: `${name}.entries` };
}

function readBeside(path: string): { readonly signature: string; readonly stream: Buffer } | null {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf(10);
    return { signature: bytes.toString("latin1", 0, end), stream: bytes.subarray(end + 1) };
  } catch {
    return null;
  }
}

function indexSignature(index: string): string {
  const stats = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : createHash("sha1").update(signatureOf(stats)).digest("hex");
}

/** Git takes a file for unchanged if it is older than the index, so the copy must not be younger than the original. */
function copyIndex(from: string, to: string): boolean {
  try {
    const { mtimeMs } = statSync(from);
    copyFileSync(from, to);
    const seconds = Math.floor(mtimeMs / 1000) - 1;
    utimesSync(to, seconds, seconds);
    return true;
  } catch {
    rmSync(to, { force: true });
    return false;
  }
}

function indexGit(
  { layout, root }: Pick<Place, "layout" | "root">,
  args: readonly string[],
  input?: readonly string[],
) {
  return storeGit(layout, args, {
    cwd: root,
    ...(input === undefined ? {} : { input: [Buffer.from(input.join(""), "latin1")] }),
    env: { GIT_WORK_TREE: root, GIT_INDEX_FILE: filesOf(layout, root).index },
  });
}
