import { readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "@agent-checkpoint/files";
import type { SafetyOptions } from "../context.ts";
import { verifyCheckpoint } from "../inspect/verify-checkpoint.ts";
import { recover } from "../restore/journal.ts";
import { type FoundManifest, listManifests } from "../store/load-checkpoint.ts";
import { hasRepository, outputOf, storeGit } from "../store/repository.ts";
import { refOf, type StoreLayout } from "../store/store-layout.ts";
import { withStore } from "../store/with-store.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { removeMirror } from "../workspace/write-mirror.ts";
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

/** Lists or deletes expired snapshots; deletions are recorded in the store's `deleted.jsonl`. */
export async function collectGarbage(options: GcOptions): Promise<GcResult> {
  return withAudit(options, async (context) => {
    const { layout } = context.place;
    const rules = { now: context.now(), youngMs: options.youngMs ?? HOUR, liveSessions: options.liveSessions ?? [] };
    if (options.apply !== true || !hasRepository(layout)) {
      const { decisions } = await decide(layout, rules);
      return { status: "planned" as const, decisions, freedBytes: 0, notes: [] };
    }
    return withStore(layout, context.lockWaitMs, async () => {
      const notes = await recover(context);
      const { decisions, gone } = await decide(layout, rules);
      const before = sizeOf(layout);
      await deleteSnapshots(layout, gone, context.now());
      const stayed = await dropUnneeded(layout);
      const freedBytes = Math.max(0, before - sizeOf(layout));
      return { status: "collected" as const, decisions, freedBytes, notes: [...notes, ...stayed] };
    });
  });
}

const HOUR = 3_600_000;

async function decide(
  layout: StoreLayout,
  rules: Parameters<typeof planGc>[1],
): Promise<{ readonly decisions: readonly GcDecision[]; readonly gone: readonly FoundManifest[] }> {
  const found = await listManifests(layout);
  const candidates: Candidate[] = [];
  for (const each of found) candidates.push(await candidateOf(layout, each));
  const decisions = planGc(candidates, rules);
  const ids = new Set(decisions.filter(({ keep }) => !keep).map(({ id }) => id));
  return { decisions, gone: found.filter(({ id }) => ids.has(id)) };
}

async function candidateOf(layout: StoreLayout, found: FoundManifest): Promise<Candidate> {
  if ("damage" in found) return { id: found.id, manifest: null, isPinned: false, isSound: false };
  const { id, manifest, isPinned } = found;
  const options = { level: "quick", isSound: false, progress: () => undefined } as const;
  const { verdict } = await verifyCheckpoint(layout, id, options);
  return { id, manifest, isPinned, isSound: verdict === "PASS" };
}

/** Deletes snapshots by their refs, all in one step, after a record of them. */
export async function deleteSnapshots(layout: StoreLayout, gone: readonly FoundManifest[], now: Date): Promise<void> {
  if (gone.length === 0) return;
  const lines = gone.map((found) => `${JSON.stringify({ at: now.toISOString(), ...found })}\n`);
  appendLine(join(layout.folder, "deleted.jsonl"), lines.join(""));
  const input = gone.map(({ id }) => `delete ${refOf(id)}\n`);
  outputOf(await storeGit(layout, ["update-ref", "--stdin"], { input }));
  for (const found of gone) {
    rmSync(join(layout.pins, found.id), { force: true });
    if ("manifest" in found) removeMirror(found.manifest, now);
  }
}

/**
 * Drops the objects that no snapshot needs, and gives what had to stay.
 * A pack is rewritten only if there is room for what is needed of it, so that a full disk can be cleaned up too.
 */
export async function dropUnneeded(layout: StoreLayout): Promise<readonly string[]> {
  const reached = await storeGit(layout, ["rev-list", "--objects", "--no-object-names", "--all"]);
  if (!reached.ok) return ["A snapshot is damaged, and what it needs cannot be known: all contents stay in the store."];
  const needed = new Set(reached.stdout.toString("latin1").split("\n"));
  const notes: string[] = [];
  await storeGit(layout, ["prune", "--expire=now"]);
  const folder = join(layout.repository, "objects", "pack");
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".idx"))) {
    const pack = join(folder, name.slice(0, -".idx".length));
    const listed = outputOf(await storeGit(layout, ["show-index"], { input: [readFileSync(`${pack}.idx`)] }));
    const oids = listed
      .toString("latin1")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    const live = oids.filter((oid) => needed.has(oid));
    if (live.length === oids.length) continue;
    if (live.length > 0) {
      const problem = await rewrite(layout, pack, live);
      if (problem !== null) {
        notes.push(problem);
        continue;
      }
    }
    for (const end of [".idx", ".rev", ".pack"]) rmSync(pack + end, { force: true });
  }
  return notes;
}

async function rewrite(layout: StoreLayout, pack: string, live: readonly string[]): Promise<string | null> {
  const { bavail, bsize } = statfsSync(layout.folder);
  if (bavail * bsize < statSync(`${pack}.pack`).size) return `There is no room to make ${pack}.pack smaller: it stays.`;
  const args = ["pack-objects", "--quiet", "--delta-base-offset", join(layout.repository, "objects", "pack", "pack")];
  const packed = await storeGit(layout, args, { input: [`${live.join("\n")}\n`] });
  return packed.ok ? null : `${pack}.pack holds a damaged content that a snapshot needs: it stays.`;
}

function sizeOf({ repository }: StoreLayout): number {
  const names = readdirSync(join(repository, "objects"), { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(join(repository, "objects", name)).size, 0);
}
