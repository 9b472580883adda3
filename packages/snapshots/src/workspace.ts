import { existsSync, lstatSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { appendLine, errorMessage, writeNew, writeWhole } from "@agent-checkpoint/files";
import { redactLine } from "@agent-checkpoint/redaction";
import type { Manifest } from "./manifest.ts";
import { type Contents, openContents } from "./objects.ts";
import { makeFolder } from "./paths.ts";
import { type Context, contextOf, type SafetyOptions, STORE_NAME, type StoreLayout } from "./place.ts";
import { isBadInput, refuseOtherTypes, type Trouble, troubleOf } from "./trouble.ts";

/** The exit codes that the audit shows for each outcome: those of the program. */
const EXITS: Readonly<Record<string, number>> = { refused: 2, failed: 3, found: 1 };

/**
 * Does something in its place, gives a trouble as a value, and writes a line into the audit of the workspace.
 * Bad input leaves nothing behind, and so does looking where nothing was ever made: there is no line without a store.
 */
export async function perform<T extends { readonly status: string }>(
  options: SafetyOptions,
  work: (context: Context, contents: Contents) => Promise<T>,
  isFailed: (result: T) => boolean = () => false,
): Promise<T | Trouble> {
  let context: Context;
  try {
    context = await contextOf(options);
  } catch (error) {
    return troubleOf(error);
  }
  const { place } = context;
  const contents = openContents(place.layout);
  const result: T | Trouble = await work(context, contents).catch(troubleOf).finally(contents.close);
  const command = options.auditAs;
  if (command === undefined || isBadInput(result)) return result;
  const exit = !("code" in result) && isFailed(result) ? 3 : (EXITS[result.status] ?? 0);
  audit(context, `Command: ${command} | Exit: ${exit}`);
  return result;
}

/** Writes a line into the audit of a workspace that has snapshots, for something that was done beside them. */
export async function noteInAudit(what: string, options: SafetyOptions): Promise<Trouble | null> {
  const result = await perform({ ...options, auditAs: undefined }, async (context) => {
    refuseOtherTypes("call", { what }, { what: "string" });
    audit(context, what);
    return { status: "noted" };
  });
  return "code" in result ? result : null;
}

/** Of an audit that cannot be written, as in a read-only folder, the operation is none the worse. */
function audit({ place, now }: Context, what: string): void {
  if (!existsSync(place.layout.folder)) return;
  const line = `[CHECKPOINT] ${now().toISOString().slice(0, 19)}Z | ${redactLine(what)}\n`;
  tellWorkspace(place.root, ".audit", "checkpoint-operations.log", line);
}

/** Writes a manifest into its workspace too, for people and tools to read; the store stays the authority. Null, or why not. */
export function writeMirror(manifest: Manifest, { folder: store }: Pick<StoreLayout, "folder">): string | null {
  const { root, id } = manifest;
  try {
    const folder = ensureOwnFolder(root, MIRROR);
    const own = join(root, MIRROR, id);
    if (folder !== null) makeFolder(own, 0o700);
    if (folder === null || !lstatSync(own).isDirectory())
      return `\`${MIRROR}\` is not a folder, so there is no manifest in it.`;
    writeWhole(join(own, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { isFlushed: false });
    // Without a repository, this is what a renamed workspace finds its store by.
    if (manifest.workTree === null) writeWhole(join(root, STORE_NAME), `${basename(store)}\n`, { isFlushed: false });
    return noteInMirror(manifest, manifest.createdAt, "created successfully");
  } catch (error) {
    return `The manifest in ${MIRROR} could not be written: ${errorMessage(error)}`;
  }
}

/** Removes the manifest of a deleted snapshot from its workspace, as far as that can be reached. */
export function removeMirror(manifest: Manifest, now: Date): void {
  try {
    if (lstatSync(join(manifest.root, MIRROR)).isDirectory())
      rmSync(join(manifest.root, MIRROR, manifest.id), { recursive: true });
    noteInMirror(manifest, now.toISOString(), "deleted");
  } catch {
    // The workspace is gone or read-only.
  }
}

function noteInMirror({ root, id, type, tree }: Manifest, time: string, what: string): string | null {
  return tellWorkspace(
    root,
    MIRROR,
    "checkpoint-manifest.log",
    `${time}: Checkpoint ${what} | ${id} | ${type} | ${tree}\n`,
  );
}

const MIRROR = ".checkpoints";

/** Adds a line to a log of the workspace; null, or why that was not possible. */
function tellWorkspace(root: string, folder: string, name: string, line: string): string | null {
  try {
    const own = ensureOwnFolder(root, folder);
    if (own === null) return `\`${folder}\` is not a folder, so nothing was written to it.`;
    appendLine(join(own, name), line);
    return null;
  } catch (error) {
    return `${folder}/${name} could not be written: ${errorMessage(error)}`;
  }
}

/**
 * Creates a folder of ours in a workspace, with a `.gitignore` of its own so that git sees nothing of it.
 * Null if something else, a link perhaps, has its name.
 */
export function ensureOwnFolder(root: string, name: string): string | null {
  const folder = join(root, name);
  makeFolder(folder, 0o700);
  if (!lstatSync(folder).isDirectory()) return null;
  writeNew(join(folder, ".gitignore"), "*\n", 0o600);
  return folder;
}
