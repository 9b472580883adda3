import { basename, dirname, join } from "node:path";
import {
  isRecord,
  readSmallFile,
  setAside,
  type SmallFile,
  sweepDrafts,
  withLockSync,
  writeWhole,
} from "@agent-checkpoint/files";
import { readHeadSync } from "@agent-checkpoint/git";
import { completeDocument, type RawDocument } from "../document/complete-document.ts";
import type { UnifiedCheckpoint } from "../document/schema.ts";
import { checkDocument, stampDocument } from "../document/stamp-document.ts";
import { isTooDeep } from "../given-values.ts";
import { type CheckpointKey, describeKey, fileName } from "../names.ts";
import { CheckpointError, type Reporter } from "../report.ts";
import { findStateFolder, makeStateFolder } from "./state-folder.ts";

/** The project, clock and log of a call. */
export interface Project {
  /** The root of the project. */
  readonly root: string;
  readonly now: Date;
  readonly reporter: Reporter;
  /** How long to wait for another process that saves. */
  readonly lockTimeoutMs: number;
}

/** The stored phase file; null if there is none. An invalid file is set aside. */
export function loadStored(project: Project, key: CheckpointKey): UnifiedCheckpoint | null {
  const folder = findStateFolder(project.root);
  if (folder === null) return null;
  const path = join(folder, fileName(key));
  const read = readOwnDocument(path, key);
  if (read.status === "corrupt") return withoutCorrupt(project, { path, key, why: read.why });
  return read.status === "ok" ? read.checkpoint : null;
}

/** A file that is not a valid phase file. */
interface CorruptFile {
  readonly path: string;
  readonly key: CheckpointKey;
  readonly why: string;
}

/** Checks again under the lock, because another process may have replaced the file; a file that is still corrupt is set aside. */
function withoutCorrupt(project: Project, { path, key, why }: CorruptFile): UnifiedCheckpoint | null {
  const found = `${basename(path)} holds no checkpoint (${why})`;
  try {
    return withDocumentLock(path, project.lockTimeoutMs, () => {
      const read = readOwnDocument(path, key);
      if (read.status !== "corrupt") return read.status === "ok" ? read.checkpoint : null;
      throw new CheckpointError("corrupt", `${found}; it is kept as ${setAside(path, project.now)}`);
    });
  } catch (error) {
    if (error instanceof CheckpointError && error.code !== "locked") throw error;
    const obstacle = error instanceof Error ? error.message : "something failed";
    throw new CheckpointError("corrupt", `${found}, and cannot be kept aside: ${obstacle}`);
  }
}

/** Computes the new document from the stored one. */
type Change = (stored: UnifiedCheckpoint | null) => RawDocument;

/** Changes a phase file under the lock; returns the stored document. */
export function changeStored(project: Project, key: CheckpointKey, change: Change): UnifiedCheckpoint {
  const { root, now, lockTimeoutMs } = project;
  const head = readHeadSync(root);
  const path = join(makeStateFolder(root), fileName(key));
  return withDocumentLock(path, lockTimeoutMs, ({ assertHeld }) => {
    const stored = storedOrAside(project, path, key);
    const checkpoint = stampDocument(stored, change(stored), { key, now, head });
    writeWhole(path, toText(checkpoint), { beforeRename: assertHeld });
    sweepDrafts(dirname(path));
    return checkpoint;
  });
}

function storedOrAside({ reporter, now }: Project, path: string, key: CheckpointKey): UnifiedCheckpoint | null {
  const read = readOwnDocument(path, key);
  if (read.status === "ok") return read.checkpoint;
  if (read.status === "missing") return null;
  reporter.warn(`${basename(path)} held no checkpoint (${read.why}); it is kept as ${setAside(path, now)}`);
  return null;
}

function toText(checkpoint: UnifiedCheckpoint): string {
  const text = `${JSON.stringify(checkpoint, null, 2)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return text;
  throw new CheckpointError("too-long", `the checkpoint has ${bytes} bytes, at most ${MAX_BYTES} are kept`);
}

/** The content of a phase file; a file of another program is refused. */
function readOwnDocument(path: string, key: CheckpointKey): Exclude<ReadDocument, { status: "not-ours" }> {
  const read = readDocument(path, key);
  if (read.status !== "not-ours") return read;
  throw new CheckpointError("not-ours", `${basename(path)} is left alone: ${read.why}`);
}

/** The content of a phase file. */
type ReadDocument =
  | { readonly status: "ok"; readonly checkpoint: UnifiedCheckpoint }
  | { readonly status: "missing" }
  /** It is not a phase file, and may be set aside. */
  | { readonly status: "corrupt"; readonly why: string }
  /** It belongs to another program, and must not be touched. */
  | { readonly status: "not-ours"; readonly why: string };

/** The maximum size of a file, read or written. */
const MAX_BYTES = 1024 * 1024;

/** Reads a phase file; missing fields are filled in, and the next save writes them. */
export function readDocument(path: string, key: CheckpointKey): ReadDocument {
  const found = readSmallFile(path, MAX_BYTES);
  if (!found.ok) return unreadOf(found);
  const { bytes, stats } = found;
  if (bytes.length === 0) return { status: "corrupt", why: "it is empty" };
  const value = parseJson(bytes);
  if (!isRecord(value)) return { status: "corrupt", why: "it holds no JSON object" };
  if (isTooDeep(value)) return { status: "corrupt", why: "it has more levels than a checkpoint" };
  return understand(value, key, stats.mtime);
}

function unreadOf({ reason, detail }: Extract<SmallFile, { ok: false }>): ReadDocument {
  if (reason === "missing") return { status: "missing" };
  if (reason === "not-regular") return { status: "not-ours", why: "it is not a regular file" };
  if (reason === "too-large") return { status: "corrupt", why: `it has ${detail}` };
  throw new CheckpointError("failed", detail);
}

function understand(value: Record<string, unknown>, key: CheckpointKey, written: Date): ReadDocument {
  const { version } = value;
  if (Number.isInteger(version) && Number(version) > 1)
    return { status: "not-ours", why: `it has version ${Number(version)}, this program knows 1: update the program` };
  const checked = checkDocument(completeDocument(value, key, written));
  if (!checked.ok) return { status: "corrupt", why: checked.problems.join("; ") };
  const { checkpoint } = checked;
  if (isOf(checkpoint, key)) return { status: "ok", checkpoint };
  return { status: "not-ours", why: `it is of ${describeKey(checkpoint)}, not of ${describeKey(key)}` };
}

/** Whether a phase file has this key; a file system may treat two names as one. */
function isOf({ command, feature }: CheckpointKey, key: CheckpointKey): boolean {
  return command === key.command && (feature?.normalize("NFC") ?? null) === key.feature;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** After this time, a lock from another machine is stale; a save takes milliseconds. */
const STALE_AFTER_MS = 60_000;

/** Does the work while no other process does such work on the same document; `assertHeld` throws if the lock was lost. */
export function withDocumentLock<Value>(
  path: string,
  timeoutMs: number,
  work: (lock: { readonly assertHeld: () => void }) => Value,
): Value {
  const folder = `${path}.lock`;
  const result = withLockSync(folder, { waitMs: timeoutMs, staleAfterMs: STALE_AFTER_MS }, ({ isHeld }) =>
    work({
      assertHeld: () => {
        if (!isHeld()) throw new CheckpointError("locked", `${basename(folder)} was taken by another process`);
      },
    }),
  );
  if (!result.ok) throw new CheckpointError("locked", `${result.detail}: try again later`);
  return result.value;
}
