import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../git/run-git.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { checkpointFolder, type StoreLayout } from "../store/store-layout.ts";
import { appendLine } from "../workspace/append-line.ts";
import { removeMirror } from "../workspace/remove-mirror.ts";
import { neededBy } from "./needed-by.ts";
import { saveNeeded } from "./save-needed.ts";

/**
 * Deletes checkpoints and what only they needed, and says what had to stay.
 * What the others need is saved from the packs first, then the checkpoints go, each in one step, and last the packs and
 * trees that nobody needs: cut short at any point, everything that is left is whole.
 */
export async function deleteCheckpoints(
  layout: StoreLayout,
  gone: readonly Manifest[],
  now: Date,
): Promise<readonly string[]> {
  const ids = gone.map(({ id }) => id);
  const needed = neededBy(layout, ids);
  const notes: string[] = [];
  const spent: string[] = [];
  if (needed.unknown.length > 0) notes.push(contentsStay(needed.unknown));
  else {
    for (const name of packsIn(layout)) {
      const saved = await saveNeeded(layout, name, needed.contents);
      if (saved === "spent") spent.push(name);
      if (saved === "damaged")
        notes.push(`The pack ${name} holds a damaged content that another checkpoint needs: it stays.`);
    }
  }
  for (const manifest of gone) deleteCheckpoint(layout, manifest, now);
  if (needed.unknown.length === 0) {
    // A tree says that its contents are there, so it goes before them.
    for (const tree of readdirSync(layout.trees)) if (!needed.trees.has(tree)) rmSync(join(layout.trees, tree));
    for (const name of spent) for (const file of [`${name}.idx`, `${name}.pack`]) rmSync(join(layout.packs, file));
  }
  await deleteCommits(layout, ids);
  return notes;
}

function contentsStay(unknown: readonly string[]): string {
  const they = unknown.length === 1 ? "is damaged, and what it needs" : "are damaged, and what they need";
  return `${unknown.join(", ")} ${they} cannot be known: all contents stay in the store. Look at it, delete its folder, and run gc again.`;
}

function packsIn(layout: StoreLayout): readonly string[] {
  return readdirSync(layout.packs)
    .filter((name) => name.endsWith(".idx"))
    .map((name) => name.slice(0, -".idx".length));
}

/** The record first, then the name in one step; what is left of a torn deletion lies in `tmp` and is swept. */
function deleteCheckpoint(layout: StoreLayout, manifest: Manifest, now: Date): void {
  const { id } = manifest;
  const folder = checkpointFolder(layout, id);
  const sealed: unknown = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  appendLine(join(layout.folder, "deleted.jsonl"), JSON.stringify({ at: now.toISOString(), manifest: sealed }));
  const grave = join(layout.tmp, `deleted-${id}`);
  renameSync(folder, grave);
  rmSync(grave, { recursive: true, force: true });
  removeMirror(manifest, now);
}

/** In the store's own repository; what cannot be cleaned there does no harm. */
async function deleteCommits(layout: StoreLayout, gone: readonly string[]): Promise<void> {
  if (gone.length === 0 || !existsSync(layout.stashRepository)) return;
  const options = { cwd: layout.folder, env: { GIT_DIR: layout.stashRepository } };
  const lines = gone.flatMap((id) =>
    ["index", "untracked", "files"].map((name) => `delete refs/checkpoints/${id}/${name}\n`),
  );
  await runGit(["update-ref", "--stdin"], { ...options, input: lines });
  await runGit(["repack", "-a", "-d", "-l", "-q"], options);
  await runGit(["prune", "--expire=now"], options);
}
