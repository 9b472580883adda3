import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { appendLine, errorCode, isRecord } from "@agent-checkpoint/files";
import { type BytePath, decodePath, encodePath, isInside, toBytePath } from "./paths.ts";
import { contextOf, nameOfRoot, type Place, type SafetyOptions } from "./place.ts";
import { createLooker, entryAt } from "./read-files.ts";
import { ensureFolders } from "./store.ts";
import { refuseOtherTypes, type Trouble, troubleOf } from "./trouble.ts";

/** That an agent wrote a file, and what it left there; null if it removed it. */
export interface AgentWrite {
  readonly at: string;
  readonly session: string | null;
  readonly path: BytePath;
  readonly oid: string | null;
}

/** When a restore wrote to its files, and the checkpoint that holds just those as they were before. */
export interface RestoreTime {
  readonly from: Date;
  readonly to: Date;
  readonly undo: string;
}

/** Records that an agent has just written files, with their current contents, so that a later change by someone else is detected. */
export async function noteWrites(
  files: readonly string[],
  options: SafetyOptions,
): Promise<{ readonly status: "noted"; readonly files: number } | Trouble> {
  try {
    refuseOtherTypes("call", { files }, { files: "strings" });
    const { place, session, now } = await contextOf(options);
    const { look } = createLooker(place.root);
    const inside = files.map((file) => resolve(place.cwd, file)).filter((file) => isInside(file, place.root));
    const lines = inside.map((file) => {
      const path = toBytePath(relative(place.root, file));
      const { oid } = entryAt(place.root, path, look);
      return `${JSON.stringify({ at: now().toISOString(), session, path: encodePath(path), oid })}\n`;
    });
    if (lines.length > 0) append(place, lines.join(""));
    return { status: "noted", files: inside.length };
  } catch (error) {
    return troubleOf(error);
  }
}

/** Records when a restore wrote below a root, so that its writes are not taken for a person's. */
export function noteRestore(place: Place, { from, to, undo }: RestoreTime): void {
  const widened = { from: new Date(from.getTime() - GRAIN_MS), to: new Date(to.getTime() + GRAIN_MS), undo };
  append(place, `${JSON.stringify(widened)}\n`);
}

/** File systems give times from a clock of their own, which goes in ticks. */
const GRAIN_MS = 50;

/** Adds lines, also if a first snapshot that came to nothing takes the store away in the same moment. */
function append({ layout, root }: Place, text: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      ensureFolders(layout);
      appendLine(join(layout.writes, `${nameOfRoot(root)}.jsonl`), text);
      return;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;

/** What agents and restores are recorded to have written below a root, the oldest first; a torn line is passed over. */
export function readWrites({ layout, root }: Pick<Place, "layout" | "root">): {
  readonly writes: readonly AgentWrite[];
  readonly restores: readonly RestoreTime[];
} {
  const writes: AgentWrite[] = [];
  const restores: RestoreTime[] = [];
  for (const line of textOf(join(layout.writes, `${nameOfRoot(root)}.jsonl`)).split("\n")) {
    const { at, session, path, oid, from, to, undo } = parseLine(line);
    if (typeof at === "string" && typeof path === "string") {
      const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
      writes.push({ at, session: text(session), path: decodePath(path), oid: text(oid) });
    } else if (typeof from === "string" && typeof to === "string" && typeof undo === "string")
      restores.push({ from: new Date(from), to: new Date(to), undo });
  }
  return { writes, restores };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const row: unknown = JSON.parse(line);
    return isRecord(row) ? row : {};
  } catch {
    return {};
  }
}
