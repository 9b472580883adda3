import { hash } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openNew } from "@agent-checkpoint/files";
import type { ApplyRequest, Capture, CaptureRequest, DrillRequest, Kind, Look } from "../kinds/kind.ts";
import { absentAt, byPath, count, type Entry, isSameState, type Manifest, type Omission } from "../manifest.ts";
import type { Contents, ObjectWriter } from "../objects.ts";
import { type BytePath, encodePath } from "../paths.ts";
import type { Context } from "../place.ts";
import { digestFile } from "../read-files.ts";
import { itemOfPath, pathOfItem, wordOf } from "../scope.ts";
import { SafetyError } from "../trouble.ts";
import { postgres } from "./postgres.ts";
import { sqlite } from "./sqlite.ts";

/** One kind of database. Dumps of the same state are the same bytes, so their hash is the hash of the state. */
export interface DatabaseDriver {
  /** Writes all of a database into a new file; null if there is no such database. */
  readonly dump: (name: string, file: string) => Promise<DumpFacts | null>;
  /** Brings a dump into a place of its own by the code of a restore, in an empty folder, and dumps that again into a new file. */
  readonly rehearse: (request: Readonly<Record<"name" | "dump" | "folder" | "again", string>>) => Promise<void>;
  /** Replaces what a database holds, in one step. */
  readonly replace: (request: Replacement) => Promise<void>;
  /** The name of the file that a dump is written out to. */
  readonly fileName: (name: string) => string;
}

/** What is known of a dump besides its bytes. */
export interface DumpFacts {
  /** The permission bits of the database's file; 0 if it has none. */
  readonly mode: number;
  /** Which database it is, so that another one behind the same name is noticed; null if the name tells. */
  readonly identity: string | null;
  readonly summary: string;
  readonly assumptions: readonly string[];
}

export interface Replacement {
  readonly name: string;
  readonly from: Entry;
  readonly to: Entry;
  /** The dump of what shall be; null if the database shall be gone. */
  readonly dump: string | null;
  /** An empty folder of this restore's own, with the same path when it is resumed. */
  readonly staging: string;
  /** Whether an earlier run may have been cut short, and left something beside the database. */
  readonly isResumed: boolean;
  /** Whether the database is already as it shall be. */
  readonly isDone: boolean;
}

/** Whole databases, each as a dump whose bytes are the same for the same state. */
export const databaseSavepoint: Kind = {
  isOfFiles: false,
  capture,
  look,
  drill: (request, context) => writeOut(request, context, { isRehearsed: true }),
  writeOut: (request, context) => writeOut(request, context, { isRehearsed: false }),
  apply,
};

/** The database that a path names, and how it is reached. */
function find(
  path: BytePath,
  context: Context,
): { readonly word: string; readonly name: string; readonly driver: DatabaseDriver } {
  const item = itemOfPath(path);
  if (item?.kind === "sqlite") return { word: wordOf(item), name: item.path, driver: sqlite(context) };
  if (item?.kind === "postgres") return { word: wordOf(item), name: item.service, driver: postgres(context) };
  throw new SafetyError("damaged", `\`${encodePath(path)}\` is not a database.`);
}

async function capture({ scope, exactly, writer }: CaptureRequest, context: Context): Promise<Capture> {
  const paths = exactly ?? scope.flatMap((item) => (item.kind === "path" ? [] : [pathOfItem(item)]));
  const entries: Entry[] = [];
  const skipped: Omission[] = [];
  const facts = new Map<string, DumpFacts>();
  let bytes = 0;
  for (const path of new Set(paths)) {
    const { word, name, driver } = find(path, context);
    await inFolder(context, async (folder) => {
      const file = join(folder, "dump");
      const dumped = await driver.dump(name, file);
      const size = dumped === null ? 0 : statSync(file).size;
      if (dumped === null) entries.push(absentAt(path));
      else if (bytes + size > context.limits.totalBytes) {
        const reason = "its dump is larger than the limit";
        skipped.push({ path: encodePath(path), rule: "database-too-large", reason });
      } else {
        bytes += size;
        facts.set(word, dumped);
        entries.push({ path, type: "database", mode: dumped.mode, oid: await addFile(writer, file, size), size });
      }
    });
  }
  const absent = entries.filter(({ type }) => type === "absent").length;
  const present = [...facts].map(([word, { summary }]) => `${word}: ${summary}`);
  const identities = [...facts].flatMap(([word, { identity }]) => (identity === null ? [] : [[word, identity]]));
  return {
    entries: entries.sort(byPath),
    excluded: [],
    skipped,
    assumptions: [
      "A dump holds whatever the database holds, secrets included; only you can read the store.",
      ...new Set([...facts.values()].flatMap(({ assumptions }) => assumptions)),
    ],
    bytes,
    summary: [...present, ...(absent === 0 ? [] : [`${count(absent, "database")} recorded as absent`])].join("; "),
    details: Object.fromEntries(identities) as Readonly<Record<string, string>>,
  };
}

async function look({ id, details }: Manifest, entries: readonly Entry[], context: Context): Promise<Look> {
  const now: Entry[] = [];
  for (const { path } of entries) {
    const { entry, facts } = await inFolder(context, (folder) => lookAt(path, folder, context));
    const { word } = find(path, context);
    const then = details[word];
    if (then !== undefined && facts !== null && facts.identity !== then)
      throw new SafetyError(
        "bad-input",
        `\`${word}\` is another database now (${facts.identity}) than the one in ${id} (${then}).`,
        "Point the service back to it, or restore with --into and load the dump yourself.",
      );
    now.push(entry);
  }
  return { now, appeared: [] };
}

/** What a database holds now, by a dump that is thrown away. */
async function lookAt(
  path: BytePath,
  folder: string,
  context: Context,
): Promise<{ readonly entry: Entry; readonly facts: DumpFacts | null }> {
  const { name, driver } = find(path, context);
  const file = join(folder, `look-${hash("sha256", path).slice(0, 16)}`);
  try {
    const facts = await driver.dump(name, file);
    if (facts === null) return { entry: absentAt(path), facts };
    return { entry: { path, type: "database", mode: facts.mode, ...digestFile(file) }, facts };
  } finally {
    rmSync(file, { force: true });
  }
}

/** Writes dumps into a folder; in a drill each is also brought into a database and dumped again, which must give the same. */
async function writeOut(
  { folder, entries, contents }: DrillRequest,
  context: Context,
  { isRehearsed }: { readonly isRehearsed: boolean },
): Promise<readonly Entry[]> {
  const files = join(folder, "files");
  mkdirSync(files, { mode: 0o700 });
  const written: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    context.progress({ step: "drilling", done: index, total: entries.length });
    if (entry.type === "absent") {
      written.push(entry);
      continue;
    }
    const { name, driver } = find(entry.path, context);
    const dump = join(files, index === 0 ? driver.fileName(name) : `${index}-${driver.fileName(name)}`);
    await stage(entry, dump, contents);
    const again = isRehearsed ? join(folder, `again-${index}`) : dump;
    if (isRehearsed) {
      const rehearsal = join(folder, `rehearsal-${index}`);
      mkdirSync(rehearsal, { mode: 0o700 });
      await driver.rehearse({ name, dump, folder: rehearsal, again });
    }
    written.push({ ...entry, ...digestFile(again) });
  }
  return written;
}

/** Replaces databases one after the other, each only if it still holds what the plan saw. */
async function apply({ changes, contents, staging, isResumed, step }: ApplyRequest, context: Context): Promise<void> {
  for (const [index, { from, to }] of changes.entries()) {
    const { word, name, driver } = find(to.path, context);
    const own = join(staging, String(index));
    mkdirSync(own, { mode: 0o700 });
    const { entry: now } = await lookAt(to.path, own, context);
    const isDone = isSameState(now, to);
    if (!isDone && !isSameState(now, from)) {
      if (isResumed) continue;
      throw changedMeanwhile(word);
    }
    const dump = to.type === "absent" ? null : join(own, "dump");
    if (dump !== null) await stage(to, dump, contents);
    step(`staged ${encodePath(to.path)}`);
    await driver.replace({ name, from, to, dump, staging: own, isResumed, isDone });
    step(`replaced ${encodePath(to.path)}`);
  }
}

/** The refusal to restore over what was written during the restore. */
export function changedMeanwhile(word: string): SafetyError {
  return new SafetyError(
    "changed-by-others",
    `\`${word}\` was written to while it was being restored.`,
    "Nothing of that was lost: the database is as it was. Stop what writes to it, and try again.",
  );
}

async function stage(entry: Entry, path: string, contents: Contents): Promise<void> {
  const file = openNew(path);
  await contents.copy(entry, file).finally(() => closeSync(file));
}

async function inFolder<T>({ place }: Context, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(place.layout.tmp, "dump-"));
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

async function addFile(writer: ObjectWriter, path: string, size: number): Promise<string> {
  const file = openSync(path, "r");
  return writer.addFile(file, size).finally(() => closeSync(file));
}
