import { hash } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { count } from "../create/report.ts";
import { digestFile } from "../databases/digest-file.ts";
import type { DatabaseDriver, DumpFacts } from "../databases/driver.ts";
import { postgres } from "../databases/postgres/postgres.ts";
import { sqlite } from "../databases/sqlite/sqlite.ts";
import { type Entry, absentAt, byPath, isSameState } from "../manifest/entry.ts";
import type { Manifest, Omission } from "../manifest/manifest.ts";
import { type BytePath, encodePath } from "../paths/byte-path.ts";
import { type OtherItem, itemOfPath, pathOfItem, wordOf } from "../request/item-path.ts";
import type { Contents } from "../store/contents.ts";
import type { ObjectWriter } from "../store/object-writer.ts";
import { SafetyError } from "../trouble.ts";
import {
  type ApplyRequest,
  type Capture,
  type CaptureRequest,
  type DrillRequest,
  type Kind,
  type Look,
  type LookRequest,
  NOT_FILES,
  type Sources,
} from "./kind.ts";

/** Whole databases, each as a dump whose bytes are the same for the same state. */
export function databaseSavepoint(sources: Sources): Kind {
  const drivers = { sqlite: sqlite(sources), postgres: postgres(sources) };
  const find: FindDatabase = (path) => {
    const item = itemOfPath(path);
    if (item === null || item.kind === "state")
      throw new SafetyError("damaged", `\`${encodePath(path)}\` is not a database.`);
    const name = item.kind === "sqlite" ? item.path : item.service;
    return { item, name, driver: drivers[item.kind] };
  };
  return {
    type: "database_savepoint",
    isOfFiles: false,
    capture: (request) => capture(find, request),
    look: (request) => look(find, request),
    drill: (request) => writeOut(find, request, { isRehearsed: true }),
    writeOut: (request) => writeOut(find, request, { isRehearsed: false }),
    apply: (request) => apply(find, request),
  };
}

type FindDatabase = (path: BytePath) => {
  readonly item: OtherItem;
  readonly name: string;
  readonly driver: DatabaseDriver;
};

async function capture(find: FindDatabase, request: CaptureRequest): Promise<Capture> {
  const { place, scope, exactly, limits, writer } = request;
  const paths = exactly ?? scope.flatMap((item) => (item.kind === "path" ? [] : [pathOfItem(item)]));
  const entries: Entry[] = [];
  const skipped: Omission[] = [];
  const facts = new Map<string, DumpFacts>();
  let bytes = 0;
  for (const path of new Set(paths)) {
    const { item, name, driver } = find(path);
    await inFolder(place.layout.tmp, async (folder) => {
      const file = join(folder, "dump");
      const dumped = await driver.dump(name, file);
      if (dumped === null) {
        entries.push(absentAt(path));
        return;
      }
      const size = sizeOf(file);
      if (bytes + size > limits.totalBytes) {
        skipped.push({
          path: encodePath(path),
          rule: "database-too-large",
          reason: "its dump is larger than the limit",
        });
        return;
      }
      bytes += size;
      facts.set(wordOf(item), dumped);
      entries.push({ path, type: "database", mode: dumped.mode, ...(await addFile(writer, file, size)) });
    });
  }
  const identities = [...facts].flatMap(([word, { identity }]) => (identity === null ? [] : [[word, identity]]));
  return {
    entries: entries.sort(byPath),
    ...NOT_FILES,
    excluded: [],
    skipped,
    assumptions: [
      "A dump holds whatever the database holds, secrets included; only you can read the store.",
      ...new Set([...facts.values()].flatMap(({ assumptions }) => assumptions)),
    ],
    bytes,
    summary: summarise(entries, facts),
    details: Object.fromEntries(identities) as Readonly<Record<string, string>>,
  };
}

function summarise(entries: readonly Entry[], facts: ReadonlyMap<string, DumpFacts>): string {
  const present = [...facts].map(([word, { summary }]) => `${word}: ${summary}`);
  const absent = entries.filter(({ type }) => type === "absent").length;
  return [...present, ...(absent === 0 ? [] : [`${count(absent, "database")} recorded as absent`])].join("; ");
}

async function look(find: FindDatabase, { place, manifest, entries }: LookRequest): Promise<Look> {
  const now: Entry[] = [];
  for (const { path } of entries) {
    const { entry, facts } = await inFolder(place.layout.tmp, (folder) => lookAt(find, path, folder));
    refuseOtherDatabase(manifest, wordOf(find(path).item), facts);
    now.push(entry);
  }
  return { now, appeared: [] };
}

function refuseOtherDatabase({ id, details }: Manifest, word: string, facts: DumpFacts | null): void {
  const then = details[word];
  if (then === undefined || facts === null || facts.identity === then) return;
  throw new SafetyError(
    "bad-input",
    `\`${word}\` is another database now (${facts.identity}) than the one in ${id} (${then}).`,
    "Point the service back to it, or restore with --into and load the dump yourself.",
  );
}

/** What a database holds now, by a dump that is thrown away. */
async function lookAt(
  find: FindDatabase,
  path: BytePath,
  folder: string,
): Promise<{ readonly entry: Entry; readonly facts: DumpFacts | null }> {
  const { name, driver } = find(path);
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
  find: FindDatabase,
  { folder, entries, contents, progress }: DrillRequest,
  { isRehearsed }: { readonly isRehearsed: boolean },
): Promise<readonly Entry[]> {
  const files = join(folder, "files");
  mkdirSync(files, { mode: 0o700 });
  const written: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    progress({ step: "drilling", done: index, total: entries.length });
    if (entry.type === "absent") {
      written.push(entry);
      continue;
    }
    const { name, driver } = find(entry.path);
    const dump = join(files, index === 0 ? driver.fileName(name) : `${index}-${driver.fileName(name)}`);
    await stage(entry, dump, contents);
    if (!isRehearsed) {
      written.push({ ...entry, ...digestFile(dump) });
      continue;
    }
    const rehearsal = join(folder, `rehearsal-${index}`);
    const again = join(folder, `again-${index}`);
    mkdirSync(rehearsal, { mode: 0o700 });
    await driver.rehearse({ name, dump, folder: rehearsal, again });
    written.push({ ...entry, ...digestFile(again) });
  }
  return written;
}

/** Replaces databases one after the other, each only if it still holds what the plan saw. */
async function apply(find: FindDatabase, request: ApplyRequest): Promise<void> {
  const { changes, contents, staging, isResumed, step } = request;
  for (const [index, { from, to }] of changes.entries()) {
    const { item, name, driver } = find(to.path);
    const own = join(staging, String(index));
    mkdirSync(own, { mode: 0o700 });
    const { entry: now } = await lookAt(find, to.path, own);
    const isChanged = !isSameState(now, from) && !isSameState(now, to);
    if (isChanged && !isResumed) throw changedMeanwhile(wordOf(item));
    if (isChanged) continue;
    const dump = to.type === "absent" ? null : join(own, "dump");
    if (dump !== null) await stage(to, dump, contents);
    step(`staged ${encodePath(to.path)}`);
    await driver.replace({ name, from, to, dump, staging: own, isResumed, isDone: isSameState(now, to) });
    step(`replaced ${encodePath(to.path)}`);
  }
}

/** The refusal to restore over what was written during the restore. */
function changedMeanwhile(word: string): SafetyError {
  return new SafetyError(
    "changed-by-others",
    `\`${word}\` was written to while it was being restored.`,
    "Nothing of that was lost: the database is as it was. Stop what writes to it, and try again.",
  );
}

async function stage(entry: Entry, path: string, contents: Contents): Promise<void> {
  const file = openSync(path, "wx", 0o600);
  try {
    if (await contents.copy(entry.oid ?? "", file)) return;
  } finally {
    closeSync(file);
  }
  throw new SafetyError(
    "damaged",
    `The contents of \`${encodePath(entry.path)}\` are missing or damaged in the store.`,
  );
}

async function inFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(parent, "dump-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(path: string): number {
  return statSync(path).size;
}

async function addFile(writer: ObjectWriter, path: string, size: number): Promise<Pick<Entry, "oid" | "size">> {
  const file = openSync(path, "r");
  try {
    return { oid: await writer.addFile(file, size), size };
  } finally {
    closeSync(file);
  }
}
