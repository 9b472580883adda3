import { hash } from "node:crypto";
import { copyFileSync, existsSync, lstatSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@agent-checkpoint/files";
import type { Captured } from "./capture-files.ts";
import { parseNames, storeGit } from "./git.ts";
import type { State } from "./manifest.ts";
import { type BytePath, diskPath } from "./paths.ts";
import type { Place, StoreLayout } from "./place.ts";
import { signatureOf } from "./read-files.ts";

/**
 * What is remembered of the last capture of a scope. A private index of git's tells which files are as they were then: it
 * knows their times; what it does not know, such as all permission bits, is here.
 */
export interface LastCapture {
  /** The snapshot, the tree and the parents of its commit, and the id of the content that lists its entries. */
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly oid: string;
  readonly counts: State["counts"];
  /** A hash of what the parents have otherwise. */
  readonly earlier: string;
  /** A hash of the names that git tracked; null if they did not say all. */
  readonly names: string | null;
  /** What git said by which one sees that the names are the same; null if that cannot be seen. */
  readonly namedBy: string | null;
  /** Contents that the index and HEAD had otherwise, which are in the store too. */
  readonly held: readonly string[];
  readonly untracked: readonly BytePath[];
  /** Paths that the private index does not know: links, what was left out, what was changing, what has several names, and few files that were read. */
  readonly unvouched: readonly BytePath[];
  /** Other paths to look at: folders, and what git had something to say about. */
  readonly noted: readonly BytePath[];
  /** The signature of the private index that all this belongs to. */
  readonly index: string;
  /** The canonical stream. */
  readonly text: string;
}

/** The last capture of a scope, and the files that the disk says have been touched since. */
export interface Remembered {
  readonly last: LastCapture;
  readonly dirty: ReadonlySet<BytePath>;
}

/** Whether there is something to recall. */
export function isRemembered({ layout, root }: Pick<Place, "layout" | "root">, key: string): boolean {
  return existsSync(filesOf(layout, root, key).beside);
}

/** Recalls the last capture by the name of its scope; null if there is none, or its snapshot has been deleted. */
export async function recall(
  { layout, root }: Pick<Place, "layout" | "root">,
  key: string,
): Promise<Remembered | null> {
  const { index, beside } = filesOf(layout, root, key);
  if (!isRemembered({ layout, root }, key)) return null;
  const dirty = indexGit({ layout, root }, key, ["diff-files", "--name-only", "-z"]);
  const last = parseLast(readFileSync(beside).toString("latin1"));
  const result = await dirty;
  if (last === null || !result.ok || last.index !== indexSignature(index)) return null;
  return existsSync(join(layout.refs, last.id)) ? { last, dirty: new Set(parseNames(result.stdout)) } : null;
}

function parseLast(bytes: string): LastCapture | null {
  const end = bytes.indexOf("\n");
  try {
    return { ...(JSON.parse(bytes.slice(0, end)) as LastCapture), text: bytes.slice(end + 1) };
  } catch {
    return null;
  }
}

/** What a capture has learnt. */
export interface Learnt extends Omit<LastCapture, "index" | "unvouched"> {
  readonly captured: Captured;
  readonly unvouched: readonly BytePath[];
  /** What was known before, whose private index goes on. */
  readonly before: Remembered | null;
  /** The index of the user's that tells which files are as committed; null if it does not tell. */
  readonly userIndex: string | null;
}

/** Remembers a capture; a file that has changed since is not vouched for. */
export async function remember(
  { layout, root }: Place,
  key: string,
  { captured, before, userIndex, ...learnt }: Learnt,
): Promise<void> {
  const { index, beside } = filesOf(layout, root, key);
  const { read, asCommitted } = captured;
  // To read a few small files again takes less than to write the index.
  const readBytes = captured.entries.reduce((sum, { path, size }) => (read.has(path) ? sum + size : sum), 0);
  const isFew = read.size <= FEW && readBytes <= FEW_BYTES;
  const unread = [...learnt.unvouched, ...(isFew ? read.keys() : [])];
  const notesOf = ({ unvouched, ...rest }: Omit<LastCapture, "index" | "id" | "tree" | "parents" | "oid" | "counts">) =>
    JSON.stringify([
      rest.names,
      rest.namedBy,
      rest.earlier,
      rest.held,
      rest.untracked,
      rest.noted,
      unvouched.toSorted(),
    ]);
  // The snapshot that is remembered has the same state, and is there.
  if (before?.last.text === learnt.text && isFew && notesOf(before.last) === notesOf({ ...learnt, unvouched: unread }))
    return;
  rmSync(beside, { force: true });
  if (before === null) rmSync(index, { force: true });
  const isCopied = before === null && userIndex !== null && copyIndex(userIndex, index);
  const taken = [...(isFew ? [] : read.keys()), ...(isCopied ? [] : asCommitted.map(({ path }) => path))];
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--info-only", "--stdin"];
  if (taken.length > 0 || !existsSync(index)) {
    const updated = await indexGit({ layout, root }, key, args, taken.map((path) => `${path}\0`).join(""));
    if (!updated.ok) return;
  }
  const changed = [...(isFew ? [] : read)].filter(([path, signature]) => {
    const stats = lstatSync(diskPath(root, path), { bigint: true, throwIfNoEntry: false });
    return stats === undefined || signatureOf(stats) !== signature;
  });
  const unvouched = [...new Set([...unread, ...changed.map(([path]) => path)])];
  const { text, ...rest } = learnt;
  const bytes = `${JSON.stringify({ ...rest, unvouched, index: indexSignature(index) })}\n${text}`;
  writeWhole(beside, Buffer.from(bytes, "latin1"), { tmp: layout.tmp, isFlushed: false });
}

const FEW = 200;
const FEW_BYTES = 4 * 1024 * 1024;

/** Forgets all captures, as when contents turned out to be damaged. */
export function forgetAll({ indexes }: StoreLayout): void {
  rmSync(indexes, { recursive: true, force: true });
}

function filesOf(
  { indexes }: StoreLayout,
  root: string,
  key: string,
): { readonly index: string; readonly beside: string } {
  const name = join(indexes, hash("sha256", `${root}\0${key}`).slice(0, 32));
  return { index: `${name}.index`, beside: `${name}.last` };
}

function indexSignature(index: string): string {
  const stats = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : signatureOf(stats);
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
  key: string,
  args: readonly string[],
  input?: string,
) {
  return storeGit(layout, args, {
    cwd: root,
    ...(input === undefined ? {} : { input: Buffer.from(input, "latin1") }),
    env: { GIT_WORK_TREE: root, GIT_INDEX_FILE: filesOf(layout, root, key).index },
  });
}
