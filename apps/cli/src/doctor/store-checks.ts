import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProject, listMoved, type Project } from "@agent-checkpoint/composer";
import { errorMessage } from "@agent-checkpoint/files";
import {
  inspectStore,
  type MovedRule,
  openStore,
  type Snooze,
  type Store,
  type StoredStop,
  type StoreInspection,
} from "@agent-checkpoint/store";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { fail, type Finding, type Found, ok, warn } from "./check.ts";

/** The store as it was before any canary. */
export interface StoreFacts {
  readonly inspection: StoreInspection;
  /** Its contents; null if it does not exist, cannot be opened or must not be opened. */
  readonly contents: StoreContents | null;
  /** Why it could not be opened; null if it could, or was not tried. */
  readonly fault: string | null;
}

/** What the checks need from the records. */
interface StoreContents {
  readonly newestAt: Date | null;
  /** The last one of each agent that was no canary. */
  readonly lastStops: readonly StoredStop[];
  readonly snoozes: readonly Snooze[];
  /** The rules of the repository that the doctor was called in which the program has moved. */
  readonly moved: readonly MovedRule[];
}

/** Reads the facts about a store; a damaged one, or one of a newer program, is not opened. */
export async function readStore(home: string, now: Date, projectRoot: string): Promise<StoreFacts> {
  const inspection = await inspectStore(home);
  const facts: StoreFacts = { inspection, contents: null, fault: null };
  if (!isSound(inspection)) return facts;
  const opened = await openStore(home);
  if (!opened.ok) return { ...facts, fault: `${opened.reason}: ${opened.detail}` };
  try {
    return { ...facts, contents: await readContents(opened.store, now, await findProject(projectRoot, home)) };
  } catch (error) {
    return { ...facts, fault: errorMessage(error) };
  } finally {
    await opened.store.close();
  }
}

function isSound(inspection: StoreInspection): boolean {
  if (inspection.status !== "readable") return false;
  return inspection.damage === null && inspection.schemaVersion <= inspection.knownSchemaVersion;
}

async function readContents(store: Store, now: Date, { repository, rules }: Project): Promise<StoreContents> {
  const [newest] = await store.stops.list({ limit: 1 });
  const lastStops: StoredStop[] = [];
  for (const agent of AGENT_NAMES) lastStops.push(...(await store.stops.list({ agent, isCanary: false, limit: 1 })));
  const moved = await listMoved(store, repository, rules);
  return { newestAt: newest?.at ?? null, lastStops, snoozes: await store.snoozes.list(now), moved };
}

/** Whether the store can be read and written, is whole, and cannot be read by others. */
export function checkStore({ home, store }: { readonly home: string; readonly store: StoreFacts }): Found {
  const problems = [checkWritable(home), checkDatabase(home, store), checkPermissions(home)].filter(
    (finding) => finding !== null,
  );
  if (problems.length > 0) return problems;
  const { inspection } = store;
  if (inspection.status !== "readable") return ok(`${home}: no database yet; the first stop creates it`);
  return ok(`${home}: ${megabytes(inspection.bytes)}, schema ${inspection.schemaVersion}, sound`);
}

/** Without a home, it has to be possible to create one in the nearest folder above it. */
function checkWritable(home: string): Finding | null {
  const database = join(home, "checkpoint.db");
  const isWritable = (path: string) => {
    try {
      accessSync(path, constants.W_OK);
      return path === database || statSync(path).isDirectory();
    } catch {
      return false;
    }
  };
  const path = [nearestFolder(home), database].find((one) => existsSync(one) && !isWritable(one));
  return path === undefined
    ? null
    : fail(
        `${path} cannot be written: no stop can be recorded, so none is blocked`,
        "Make it writable, or set CHECKPOINT_HOME to a folder of your own (for the agent as well).",
      );
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function checkDatabase(home: string, { inspection, fault }: StoreFacts): Finding | null {
  const database = join(home, "checkpoint.db");
  const move = "Move it away; the next stop creates a new one. Old records are lost with it.";
  if (inspection.status === "absent") return null;
  if (inspection.status === "unreadable") {
    const { reason, detail } = inspection;
    const set = "The next stop sets it aside and starts a new one; old records are lost with it.";
    return fail(`${database} cannot be read (${reason}): ${detail}`, reason === "corrupt" ? set : move);
  }
  const { damage, schemaVersion: schema, knownSchemaVersion: known } = inspection;
  if (damage !== null) return fail(`${database} is damaged: ${damage}`, move);
  if (schema > known)
    return fail(
      `${database} has schema ${schema}, this program knows ${known}`,
      "Another installation is newer: update this one.",
    );
  if (fault === null) return null;
  return fail(`${database} cannot be opened (${fault})`, "Look for a process that holds it, then try again.");
}

/** Records contain names of files and commands of the person. */
function checkPermissions(home: string): Finding | null {
  if (process.platform === "win32" || !statSync(home, { throwIfNoEntry: false })?.isDirectory()) return null;
  const open = [home, ...readdirSync(home).map((name) => join(home, name))].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
  const [first] = open;
  if (first === undefined) return null;
  const more = open.length === 1 ? "" : ` and ${open.length - 1} more`;
  return warn(`${first}${more} can be read by others`, `chmod -R go-rwx ${home}`);
}

function megabytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
