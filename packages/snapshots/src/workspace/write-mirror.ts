import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { appendLine, writeNew, writeWhole } from "@agent-checkpoint/files";
import { ensureFolder } from "../files/ensure-folder.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { STORE_NAME } from "../place.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { redactLine } from "@agent-checkpoint/redaction";

/** Writes a manifest into its workspace too, for people and tools to read; the store stays the authority. Null, or why not. */
export function writeMirror(manifest: Manifest, { folder: store }: Pick<StoreLayout, "folder">): string | null {
  try {
    const folder = ensureOwnFolder(manifest.root, MIRROR);
    if (folder === null) return `\`${MIRROR}\` is not a folder, so there is no manifest in it.`;
    const own = join(folder, manifest.id);
    if (!ensureFolder(own).isDirectory()) return `\`${own}\` is not a folder, so there is no manifest in it.`;
    writeWhole(join(own, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { isFlushed: false });
    // Without a repository, this is what a renamed workspace finds its store by.
    if (manifest.workTree === null)
      writeWhole(join(manifest.root, STORE_NAME), `${basename(store)}\n`, { isFlushed: false });
    note(manifest, manifest.createdAt, "created successfully");
    return null;
  } catch (error) {
    return `The manifest in ${MIRROR} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Removes the manifest of a deleted snapshot from its workspace, as far as that can be reached. */
export function removeMirror(manifest: Manifest, now: Date): void {
  try {
    const folder = ensureOwnFolder(manifest.root, MIRROR);
    if (folder === null || !ensureFolder(join(folder, manifest.id)).isDirectory()) return;
    rmSync(join(folder, manifest.id), { recursive: true });
    note(manifest, now.toISOString(), "deleted");
  } catch {
    // The workspace is gone or read-only.
  }
}

function note({ root, id, type, tree }: Manifest, time: string, what: string): void {
  appendLine(
    join(root, MIRROR, "checkpoint-manifest.log"),
    `${time}: Checkpoint ${what} | ${id} | ${type} | ${tree}\n`,
  );
}

const MIRROR = ".checkpoints";

/**
 * Creates a folder of ours in a workspace, with a `.gitignore` of its own so that git sees nothing of it.
 * Null if something else, a link perhaps, has its name.
 */
export function ensureOwnFolder(root: string, name: string): string | null {
  const folder = join(root, name);
  if (!ensureFolder(folder).isDirectory()) return null;
  writeNew(join(folder, ".gitignore"), "*\n", 0o600);
  return folder;
}

/** Adds the line of an operation to `.audit/checkpoint-operations.log`; an audit that cannot be written is a warning. */
export function appendAudit(
  root: string,
  { now, command, exit }: { readonly now: Date; readonly command: string; readonly exit: number },
): string | null {
  try {
    const folder = ensureOwnFolder(root, ".audit");
    if (folder === null) return "`.audit` is not a folder, so nothing was written to it.";
    const time = `${now.toISOString().slice(0, 19)}Z`;
    appendLine(
      join(folder, "checkpoint-operations.log"),
      `[CHECKPOINT] ${time} | Command: ${redactLine(command)} | Exit: ${exit}\n`,
    );
    return null;
  } catch (error) {
    return `The audit line could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
