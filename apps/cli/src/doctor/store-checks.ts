import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  countJournal,
  inspectStore,
  openStore,
  type Snooze,
  type Store,
  type StoredStop,
  type StoreInspection,
} from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { fail, type Finding, ok, warn } from "./check.ts";
import type { Machine } from "./machine-checks.ts";

/** The store as it was before any canary. */
export interface StoreFacts {
  readonly inspection: StoreInspection;
  /** Prompts and stops that wait in the journal. */
  readonly waiting: number;
  /** What it holds; null if it is not there, cannot be opened or was better left alone. */
  readonly contents: StoreContents | null;
  /** Why it could not be opened; null if it could, or was not tried. */
  readonly fault: string | null;
}

/** What the doctor wants to know of the records. */
interface StoreContents {
  readonly newestAt: Date | null;
  readonly lastStops: Readonly<Record<AgentName, StoredStop | null>>;
  readonly snoozes: readonly Snooze[];
}

/** Reads what is to be known of a store; one that is damaged or of a newer program is not opened. */
export async function readStore(home: string, now: Date): Promise<StoreFacts> {
  const inspection = await inspectStore(home);
  const facts: StoreFacts = { inspection, waiting: countJournal(home), contents: null, fault: null };
  if (!isSound(inspection)) return facts;
  const opened = await openStore(home);
  if (!opened.ok) return { ...facts, fault: `${opened.reason}: ${opened.detail}` };
  try {
    return { ...facts, contents: await readContents(opened.store, now) };
  } catch (error) {
    return { ...facts, fault: error instanceof Error ? error.message : String(error) };
  } finally {
    await opened.store.close();
  }
}

function isSound(inspection: StoreInspection): boolean {
  if (inspection.status !== "readable") return false;
  return inspection.damage === null && inspection.schemaVersion <= inspection.knownSchemaVersion;
}

async function readContents(store: Store, now: Date): Promise<StoreContents> {
  const [newest = null] = await store.listStops({ limit: 1 });
  const lastStops: Partial<Record<AgentName, StoredStop | null>> = {};
  for (const agent of AGENT_NAMES)
    lastStops[agent] = (await store.listStops({ agent, isCanary: false, limit: 1 }))[0] ?? null;
  return {
    newestAt: newest?.at ?? null,
    lastStops: lastStops as StoreContents["lastStops"],
    snoozes: await store.listSnoozes(now),
  };
}

/** Whether the store can be read and written, is whole, and cannot be read by others. */
export function checkStore({ home, store }: Machine): readonly Finding[] {
  const findings = [
    checkWritable(home),
    ...checkDatabase(home, store),
    ...checkPermissions(home),
    ...checkWaiting(store),
  ];
  const problems = findings.filter((finding): finding is Finding => finding !== null);
  return problems.length > 0 ? problems : [ok(soundness(home, store))];
}

function soundness(home: string, { inspection }: StoreFacts): string {
  if (inspection.status !== "readable") return `${home}: no database yet; the first stop makes it`;
  return `${home}: ${megabytes(inspection.bytes)}, schema ${inspection.schemaVersion}, sound`;
}

/** Without a home, the nearest folder above it has to take one. */
function checkWritable(home: string): Finding | null {
  const database = join(home, "checkpoint.db");
  for (const path of [nearestFolder(home), ...(existsSync(database) ? [database] : [])]) {
    try {
      accessSync(path, constants.W_OK);
      if (path !== database && !statSync(path).isDirectory()) throw new Error("it is no folder");
    } catch {
      return fail(
        `${path} cannot be written: no stop can be recorded, so none is blocked`,
        `Make it writable, or set CHECKPOINT_HOME to a folder of your own (for the agent as well).`,
      );
    }
  }
  return null;
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function checkDatabase(home: string, { inspection, fault }: StoreFacts): readonly (Finding | null)[] {
  const database = join(home, "checkpoint.db");
  if (inspection.status === "absent") return [];
  if (inspection.status === "unreadable") {
    const fix =
      inspection.reason === "corrupt"
        ? "The next stop sets it aside and starts a new one; old records are lost with it."
        : "Move it away; the next stop makes a new one.";
    return [fail(`${database} cannot be read (${inspection.reason}): ${inspection.detail}`, fix)];
  }
  const { damage, schemaVersion, knownSchemaVersion } = inspection;
  if (damage !== null)
    return [
      fail(
        `${database} is damaged: ${damage}`,
        "Move it away; the next stop makes a new one. Old records are lost with it.",
      ),
    ];
  if (schemaVersion > knownSchemaVersion)
    return [
      fail(
        `${database} has schema ${schemaVersion}, this program knows ${knownSchemaVersion}`,
        "Another installation is newer: update this one.",
      ),
    ];
  if (fault === null) return [];
  return [fail(`${database} cannot be opened (${fault})`, "Look for a process that holds it, then try again.")];
}

/** The records name files and commands of the person's work. */
function checkPermissions(home: string): readonly (Finding | null)[] {
  if (process.platform === "win32" || !statSync(home, { throwIfNoEntry: false })?.isDirectory()) return [];
  const open = [home, ...readdirSync(home).map((name) => join(home, name))].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
  const [first] = open;
  if (first === undefined) return [];
  const more = open.length === 1 ? "" : ` and ${open.length - 1} more`;
  return [warn(`${first}${more} can be read by others`, `chmod -R go-rwx ${home}`)];
}

const MANY_WAITING = 1000;

function checkWaiting({ waiting, contents }: StoreFacts): readonly (Finding | null)[] {
  if (waiting <= MANY_WAITING) return [];
  return [
    warn(
      `${waiting} prompts and stops wait in journal.jsonl: no stop was judged since`,
      contents !== null
        ? "The doctor has now taken them in; if they gather again, the log says why."
        : "They are taken in as soon as the database can be used.",
    ),
  ];
}

function megabytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
