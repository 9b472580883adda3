import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { isRecord, isTooDeep } from "@agent-checkpoint/handoff";
import { checkDocument } from "../document/check-document.ts";
import { completeDocument } from "../document/complete-document.ts";
import { migrate } from "../document/migrate.ts";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { describeKey } from "../names/describe-key.ts";
import type { CheckpointKey } from "../names/file-name.ts";

/** What a checkpoint's file holds. */
export type ReadDocument =
  | { readonly status: "ok"; readonly checkpoint: UnifiedCheckpoint }
  | { readonly status: "missing" }
  /** It is no checkpoint, and may be kept aside. */
  | { readonly status: "corrupt"; readonly why: string }
  /** It is somebody else's, and must not be touched. */
  | { readonly status: "not-ours"; readonly why: string };

/** How large a file may be, to be read and to be written. */
export const MOST_BYTES: number = 1024 * 1024;

/** Reads a checkpoint's file; an older version comes back as today's, and is written so by the next save. */
export function readDocument(path: string, key: CheckpointKey): ReadDocument {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { status: "missing" };
  if (!stats.isFile()) return { status: "not-ours", why: "it is no regular file" };
  if (stats.size > MOST_BYTES)
    return { status: "corrupt", why: `it has ${stats.size} bytes, at most ${MOST_BYTES} are read` };
  const bytes = readBytes(path);
  if (bytes.length === 0) return { status: "corrupt", why: "it is empty" };
  const value = parseJson(bytes);
  if (!isRecord(value)) return { status: "corrupt", why: "it holds no JSON object" };
  if (isTooDeep(value)) return { status: "corrupt", why: "it has more levels than a checkpoint" };
  return understand(value, key, stats.mtime);
}

function understand(value: Record<string, unknown>, key: CheckpointKey, written: Date): ReadDocument {
  const migrated = migrate(value);
  if (migrated.status === "newer")
    return {
      status: "not-ours",
      why: `it has version ${migrated.found}, this program knows 1: update the program`,
    };
  if (migrated.status === "no-version")
    return { status: "corrupt", why: `\`version\`: expected 1, found ${JSON.stringify(migrated.found)?.slice(0, 80)}` };
  const checked = checkDocument(completeDocument(migrated.document, key, written));
  if (!checked.ok) return { status: "corrupt", why: checked.problems.join("; ") };
  const { checkpoint } = checked;
  if (isOf(checkpoint, key)) return { status: "ok", checkpoint };
  return { status: "not-ours", why: `it is of ${describeKey(checkpoint)}, not of ${describeKey(key)}` };
}

/** Whether a checkpoint is the one looked for; a file system may take two names for one. */
function isOf({ command, feature }: CheckpointKey, key: CheckpointKey): boolean {
  return command === key.command && (feature?.normalize("NFC") ?? null) === key.feature;
}

/** A pipe of that name must not make the reader wait, and a link put there in the meantime is not followed. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function readBytes(path: string): Buffer {
  const file = openSync(path, FLAGS);
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0);
  } finally {
    closeSync(file);
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
