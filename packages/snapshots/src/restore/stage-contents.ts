import { chmodSync, closeSync, fchmodSync, openSync, symlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "../manifest/entry.ts";
import { encodePath } from "../paths/byte-path.ts";
import type { ReportProgress } from "../progress.ts";
import type { Contents } from "../store/contents.ts";
import { SafetyError } from "../trouble.ts";

/** Writes what a restore will put in place into a folder of its own first, so that a full disk or a damaged content stops it before. */
export async function stageContents(
  entries: readonly Entry[],
  {
    contents,
    staging,
    isDurable,
    progress,
  }: {
    readonly contents: Contents;
    readonly staging: string;
    readonly isDurable: boolean;
    readonly progress: ReportProgress;
  },
): Promise<ReadonlyMap<Entry, string>> {
  const staged = new Map<Entry, string>();
  for (const [index, entry] of entries.entries()) {
    if (index % 64 === 0) progress({ step: "restoring", done: index, total: entries.length });
    const path = join(staging, String(index));
    if (entry.type === "link") symlinkSync(await proven(entry, contents), path);
    else await writeFile(entry, path, contents);
    staged.set(entry, path);
  }
  if (isDurable) await flushAll([...staged].filter(([{ type }]) => type === "file").map(([, path]) => path));
  return staged;
}

async function writeFile(entry: Entry, path: string, contents: Contents): Promise<void> {
  const file = openSync(path, "wx", 0o600);
  try {
    if (!(await contents.copy(entry.oid ?? "", file))) throw damaged(entry);
    fchmodSync(file, entry.mode);
  } finally {
    closeSync(file);
  }
  // Changing the owner's bits by descriptor drops setuid on some systems once data was written.
  if ((entry.mode & 0o7000) !== 0) chmodSync(path, entry.mode);
}

async function proven(entry: Entry, contents: Contents): Promise<Buffer> {
  const bytes = await contents.read(entry.oid ?? "");
  if (bytes === null) throw damaged(entry);
  return bytes;
}

function damaged({ path }: Entry): SafetyError {
  return new SafetyError("damaged", `The contents of \`${encodePath(path)}\` are missing or damaged in the store.`);
}

/** Flushes files a few at a time: the disk does several at once in nearly the time of one. */
async function flushAll(paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const file = await open(path, "r");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}
