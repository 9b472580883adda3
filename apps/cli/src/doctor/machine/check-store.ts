import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, type Finding, ok, warn } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether the store can be read and written, is whole, and is nobody else's to read. */
export function checkStore({ home, store }: Machine): readonly Finding[] {
  const findings = [checkWritable(home), ...checkDatabase(home, store), ...checkPermissions(home)];
  const problems = findings.filter((finding): finding is Finding => finding !== null);
  return problems.length > 0 ? problems : [ok(soundness(home, store))];
}

function soundness(home: string, { inspection }: Machine["store"]): string {
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

function checkDatabase(home: string, { inspection, contents }: Machine["store"]): readonly (Finding | null)[] {
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
  if (contents === null || !("fault" in contents)) return [];
  return [
    fail(`${database} cannot be opened (${contents.fault})`, "Look for a process that holds it, then try again."),
  ];
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

function megabytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
