import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { contextOf, type SafetyOptions } from "../context.ts";
import { runGit } from "../git/run-git.ts";
import { verifyCheckpoint } from "../inspect/verify-checkpoint.ts";
import { type FoundManifest, listManifests, loadTree } from "../store/load-checkpoint.ts";
import { openContents } from "../store/open-contents.ts";
import { listPackIndex } from "../store/pack-index.ts";
import { checkpointFolder, type StoreLayout } from "../store/store-layout.ts";
import { withStoreLock } from "../store/with-store-lock.ts";
import { writePack } from "../store/write-pack.ts";
import { flushTogether } from "../store/write-whole.ts";
import { recover } from "../restore/recover.ts";
import { SafetyError, type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { appendLine } from "../workspace/append-line.ts";
import { type Candidate, type GcDecision, planGc } from "./plan-gc.ts";

export interface GcOptions extends SafetyOptions {
  /** Deletes what may go; otherwise it is only listed. */
  readonly apply?: boolean;
  readonly youngMs?: number;
  readonly liveSessions?: readonly string[];
}

/** What clean-up decided, and what it freed. */
export type GcResult =
  | {
      readonly status: "planned" | "collected";
      readonly decisions: readonly GcDecision[];
      readonly freedBytes: number;
      readonly notes: readonly string[];
    }
  | Trouble;

/** Deletes expired checkpoints, where that was asked for; what is deleted is recorded in the store's `deleted.jsonl`. */
export async function collectGarbage(options: GcOptions): Promise<GcResult> {
  return withAudit(options, async (setRoot) => {
    try {
      const context = await contextOf(options);
      const { layout, root } = context.place;
      const rules = { now: context.now(), youngMs: options.youngMs ?? HOUR, liveSessions: options.liveSessions ?? [] };
      const decide = (): readonly GcDecision[] =>
        planGc(
          listManifests(layout).map((found) => candidateOf(layout, found)),
          rules,
        );
      if (options.apply !== true || !existsSync(layout.folder)) {
        return { status: "planned" as const, decisions: decide(), freedBytes: 0, notes: [] };
      }
      setRoot(root);
      return await withStoreLock(layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        const decisions = decide();
        const gone = decisions.filter(({ keep }) => !keep).map(({ id }) => id);
        const before = sizeOf(layout);
        if (gone.length > 0) await deleteCheckpoints(layout, gone, context.now());
        return { status: "collected" as const, decisions, freedBytes: Math.max(0, before - sizeOf(layout)), notes };
      });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

const HOUR = 3_600_000;

function candidateOf(layout: StoreLayout, found: FoundManifest): Candidate {
  if ("damage" in found) return { id: found.id, manifest: null, isPinned: false, isSound: () => false };
  const { id, manifest, isPinned } = found;
  return { id, manifest, isPinned, isSound: () => verifyCheckpoint(layout, id, "quick").verdict === "PASS" };
}

/**
 * What the others need is saved from the packs first, then the checkpoints go, each in one step, and last the packs and
 * trees that nobody needs: cut short at any point, everything that is left is whole.
 */
async function deleteCheckpoints(layout: StoreLayout, gone: readonly string[], now: Date): Promise<void> {
  const { contents, trees } = neededBy(layout, gone);
  const spent: string[] = [];
  for (const file of readdirSync(layout.packs).filter((name) => name.endsWith(".idx"))) {
    const name = file.slice(0, -4);
    if (await saveNeeded(layout, name, contents)) spent.push(name);
  }
  for (const id of gone) deleteCheckpoint(layout, id, now);
  // A tree says that its contents are there, so it goes before them.
  for (const tree of readdirSync(layout.trees)) if (!trees.has(tree)) rmSync(join(layout.trees, tree));
  for (const name of spent) for (const file of [`${name}.idx`, `${name}.pack`]) rmSync(join(layout.packs, file));
  await deleteCommits(layout, gone);
}

/** What the checkpoints that stay need; where one is damaged that cannot be known, and nothing goes. */
function neededBy(
  layout: StoreLayout,
  gone: readonly string[],
): { readonly contents: ReadonlySet<string>; readonly trees: ReadonlySet<string> } {
  const contents = new Set<string>();
  const trees = new Set<string>();
  for (const found of listManifests(layout)) {
    if (gone.includes(found.id)) continue;
    if ("damage" in found)
      throw new SafetyError(
        "damaged",
        `${found.id} is damaged, so nothing is deleted from the store.`,
        "Look at it, then delete its folder.",
      );
    trees.add(found.manifest.tree.slice("sha256:".length));
    for (const { sha256 } of loadTree(layout, found.manifest)) if (sha256 !== null) contents.add(sha256);
  }
  return { contents, trees };
}

/** Copies what is needed of a pack into a new one, where something in it is not; true where the old one may go. */
async function saveNeeded(layout: StoreLayout, name: string, needed: ReadonlySet<string>): Promise<boolean> {
  const contained = listPackIndex(readFileSync(join(layout.packs, `${name}.idx`)));
  const live = contained.filter(({ sha256 }) => needed.has(sha256));
  if (live.length === contained.length) return false;
  if (live.length === 0) return true;
  const contents = openContents(layout);
  const pack = writePack(layout, `kept-${randomBytes(8).toString("hex")}`, { ...contents, has: () => false });
  try {
    for (const { sha256 } of live) {
      const bytes = contents.read(sha256);
      if (bytes === null)
        throw new SafetyError("damaged", `A content in ${name} is damaged, so nothing is deleted from the store.`);
      pack.add(bytes, sha256);
    }
    const { flush, settle } = pack.finish();
    await flushTogether(flush);
    settle();
    await flushTogether([layout.packs]);
    return true;
  } catch (error) {
    pack.abort();
    throw error;
  } finally {
    contents.close();
  }
}

/** The record first, then the name in one step; what is left of a torn deletion lies in `tmp` and is swept. */
function deleteCheckpoint(layout: StoreLayout, id: string, now: Date): void {
  const folder = checkpointFolder(layout, id);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  appendLine(join(layout.folder, "deleted.jsonl"), JSON.stringify({ at: now.toISOString(), manifest }));
  const grave = join(layout.tmp, `deleted-${id}`);
  renameSync(folder, grave);
  rmSync(grave, { recursive: true, force: true });
}

/** In the store's own repository; what cannot be cleaned there does no harm. */
async function deleteCommits(layout: StoreLayout, gone: readonly string[]): Promise<void> {
  if (!existsSync(layout.stashRepository)) return;
  const options = { cwd: layout.folder, env: { GIT_DIR: layout.stashRepository } };
  const lines = gone.flatMap((id) =>
    ["index", "untracked", "files"].map((name) => `delete refs/checkpoints/${id}/${name}\n`),
  );
  await runGit(["update-ref", "--stdin"], { ...options, input: lines });
  await runGit(["repack", "-a", "-d", "-l", "-q"], options);
  await runGit(["prune", "--expire=now"], options);
}

function sizeOf(layout: StoreLayout): number {
  return readdirSync(layout.packs).reduce((sum, name) => sum + statSync(join(layout.packs, name)).size, 0);
}
