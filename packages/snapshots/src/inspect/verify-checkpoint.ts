import type { ReportProgress, SafetyOptions } from "../context.ts";
import { forgetAll } from "../files/known-files.ts";
import type { Entry } from "../manifest/entry.ts";
import { encodePath } from "../paths/byte-path.ts";
import { type Contents, openContents } from "../store/contents.ts";
import { listIds, loadCheckpoint, refuseUnknown } from "../store/load-checkpoint.ts";
import { hasRepository, storeGit } from "../store/repository.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

/** How thoroughly: that everything is there, or that every byte is what it was. */
export type VerifyLevel = "quick" | "full";

/** What a verification found. */
export interface Verification {
  readonly id: string;
  readonly verdict: "PASS" | "FAIL";
  readonly level: VerifyLevel;
  readonly hash: string | null;
  readonly entries: number;
  readonly failures: readonly string[];
}

export type VerifyResult =
  | { readonly status: "verified" | "found"; readonly verifications: readonly Verification[] }
  | Trouble;

/**
 * Verifies a checkpoint, or all of the store's; the answer is `found` if one failed.
 * Damage makes the store forget what it knows of files by their times, so that the next capture reads them and heals it.
 */
export async function verifyCheckpoints(
  id: string | null,
  options: SafetyOptions & { readonly level?: VerifyLevel },
): Promise<VerifyResult> {
  return withAudit(options, async ({ place: { layout }, progress }) => {
    if (id !== null) refuseUnknown(layout, id);
    const level = options.level ?? "full";
    const verifications: Verification[] = [];
    // If git finds no fault in the whole store, the contents of no snapshot need a look of their own.
    const isSound = level === "full" && id === null && (await isStoreSound(layout));
    for (const each of id === null ? listIds(layout) : [id])
      verifications.push(await verifyCheckpoint(layout, each, { level, isSound, progress }));
    const isVerified = verifications.every(({ verdict }) => verdict === "PASS");
    if (!isVerified) forgetAll(layout);
    return { status: isVerified ? ("verified" as const) : ("found" as const), verifications };
  });
}

async function isStoreSound(layout: StoreLayout): Promise<boolean> {
  return hasRepository(layout) && (await storeGit(layout, ["fsck", "--full", "--no-dangling", "--no-progress"])).ok;
}

export interface VerifyOptions {
  readonly level: VerifyLevel;
  /** Whether all objects of the store are known to be whole. */
  readonly isSound: boolean;
  readonly progress: ReportProgress;
}

/** Verifies one checkpoint of a store. */
export async function verifyCheckpoint(
  layout: StoreLayout,
  id: string,
  { level, isSound, progress }: VerifyOptions,
): Promise<Verification> {
  const contents = openContents(layout);
  try {
    const { manifest, entries } = await loadCheckpoint(layout, id, contents);
    const bad = isSound ? [] : await badEntries(layout, entries, { contents, level, progress });
    return {
      id,
      verdict: bad.length === 0 ? "PASS" : "FAIL",
      level,
      hash: manifest.tree,
      entries: entries.length,
      failures: bad.map(({ path }) => `The contents of \`${encodePath(path)}\` are missing or damaged.`),
    };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    return { id, verdict: "FAIL", level, hash: null, entries: 0, failures: [trouble.message] };
  } finally {
    contents.close();
  }
}

async function badEntries(
  layout: StoreLayout,
  entries: readonly Entry[],
  {
    contents,
    level,
    progress,
  }: { readonly contents: Contents; readonly level: VerifyLevel; readonly progress: ReportProgress },
): Promise<readonly Entry[]> {
  if (level === "quick") return missingEntries(layout, entries);
  const bad: Entry[] = [];
  for (const [done, entry] of entries.entries()) {
    if (done % 256 === 0) progress({ step: "verifying", done, total: entries.length });
    if (entry.oid !== null && !(await contents.isWhole(entry.oid))) bad.push(entry);
  }
  return bad;
}

async function missingEntries(layout: StoreLayout, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const oids = new Set(entries.flatMap(({ oid }) => oid ?? []));
  const input = [Buffer.from([...oids].map((oid) => `${oid}\n`).join(""))];
  const result = await storeGit(layout, ["cat-file", "--batch-check"], { input });
  if (!result.ok) return entries.filter(({ oid }) => oid !== null);
  const there = result.stdout.toString("latin1").split("\n");
  const found = new Set(there.flatMap((line) => (line.endsWith(" missing") ? [] : line.slice(0, line.indexOf(" ")))));
  return entries.filter(({ oid }) => oid !== null && !found.has(oid));
}
