import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../context.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, decodePath } from "../paths/byte-path.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { appendLine } from "@agent-checkpoint/files";

/** That an agent wrote a file, and what it left there; null if it removed it. */
export interface AgentWrite {
  readonly at: string;
  readonly session: string | null;
  readonly path: BytePath;
  readonly oid: string | null;
}

/** What agents are recorded to have written below a root, the oldest first; a torn last line is passed over. */
export function readWrites(layout: StoreLayout, root: string): readonly AgentWrite[] {
  let text: string;
  try {
    text = readFileSync(writesPath(layout, root), "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const row = parseRow(line);
    return row === null ? [] : [row];
  });
}

/** The captured paths that the session of this call had already written to. */
export function changedBySession(
  { place, session }: Context,
  captured: { readonly entries: readonly Entry[] },
): readonly BytePath[] {
  if (session === null) return [];
  const written = new Set(
    readWrites(place.layout, place.root)
      .filter((row) => row.session === session)
      .map(({ path }) => path),
  );
  if (written.size === 0) return [];
  return captured.entries.map(({ path }) => path).filter((path) => written.has(path));
}

/** Where the writes below a root are recorded. */
export function writesPath(layout: StoreLayout, root: string): string {
  return join(layout.writes, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.jsonl`);
}

function parseRow(line: string): AgentWrite | null {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== "object" || row === null) return null;
    const { at, session, path, oid } = row as Record<string, unknown>;
    if (typeof at !== "string" || typeof path !== "string") return null;
    return {
      at,
      session: typeof session === "string" ? session : null,
      path: decodePath(path),
      oid: typeof oid === "string" ? oid : null,
    };
  } catch {
    return null;
  }
}

/** When a restore wrote to its files, and the checkpoint that holds just those as they were before. */
export interface RestoreTime {
  readonly from: Date;
  readonly to: Date;
  readonly undo: string;
}

/** Records when a restore wrote below a root, so that its writes are not taken for a person's. */
export function noteRestore(layout: StoreLayout, root: string, { from, to, undo }: RestoreTime): void {
  const widened = { from: new Date(from.getTime() - GRAIN_MS), to: new Date(to.getTime() + GRAIN_MS), undo };
  appendLine(restoresPath(layout, root), `${JSON.stringify(widened)}\n`);
}

/** File systems give times from a clock of their own, which goes in ticks. */
const GRAIN_MS = 50;

/** When restores wrote below a root; a torn line is passed over. */
export function readRestores(layout: StoreLayout, root: string): readonly RestoreTime[] {
  let text: string;
  try {
    text = readFileSync(restoresPath(layout, root), "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [, from, to, undo] = /^\{"from":"([^"]+)","to":"([^"]+)","undo":"([^"]+)"\}$/.exec(line) ?? [];
    if (from === undefined || to === undefined || undo === undefined) return [];
    return [{ from: new Date(from), to: new Date(to), undo }];
  });
}

function restoresPath(layout: StoreLayout, root: string): string {
  return writesPath(layout, root).replace(/\.jsonl$/, ".restores.jsonl");
}
