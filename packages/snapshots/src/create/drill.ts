import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Capture, Kind } from "../kinds/kind.ts";
import { hashEntries, parseStream } from "../manifest/canonical-stream.ts";
import { type Entry, isSameState } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { ReportProgress } from "../progress.ts";
import { treePath } from "../store/load-checkpoint.ts";
import type { Contents } from "../store/open-contents.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { createDrillFolder } from "./drill-folder.ts";
import { SafetyError } from "../trouble.ts";

export interface DrillOptions {
  readonly kind: Kind;
  readonly layout: StoreLayout;
  readonly root: string;
  readonly id: string;
  readonly capture: Capture;
  readonly tree: string;
  readonly contents: Contents;
  readonly progress: ReportProgress;
}

/**
 * Proves that a checkpoint can be brought back: into a folder of its own, by the code of a restore, compared by hash.
 * In a large tree, what an earlier drill of the same place has proven is not written out again.
 */
export async function drill(options: DrillOptions): Promise<Manifest["drill"]> {
  const { kind, layout, root, id, capture, tree, contents, progress } = options;
  if (capture.proven !== undefined) return { entries: 0, provenBefore: capture.proven.entries };
  const { entries } = capture;
  if (!entries.every(({ sha256 }) => sha256 === null || contents.has(sha256)))
    throw new SafetyError("mismatch", "A content is missing right after it was stored.");
  const proven = entries.length > WORTH_REMEMBERING ? provenBefore(layout, root) : NOTHING;
  const fresh = entries.filter((entry) => {
    const before = proven.get(entry.path);
    return before === undefined || !isSameState(before, entry);
  });
  const folder = createDrillFolder(fresh, join(layout.tmp, `drill-${id}`));
  try {
    const result = await kind.drill({ folder, entries: fresh, contents, progress });
    if (hashEntries(result) !== hashEntries(fresh))
      throw new SafetyError("mismatch", "The drill brought back something else than was captured.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const stored = readFileSync(treePath(layout, tree));
  if (`sha256:${createHash("sha256").update(stored).digest("hex")}` !== tree)
    throw new SafetyError("mismatch", "The tree in the store does not have its hash.");
  if (entries.length > WORTH_REMEMBERING) writeFileSync(provenPath(layout, root), tree, { mode: 0o600 });
  return { entries: fresh.length, provenBefore: entries.length - fresh.length };
}

const WORTH_REMEMBERING = 256;
const NOTHING: ReadonlyMap<BytePath, Entry> = new Map();

function provenBefore(layout: StoreLayout, root: string): ReadonlyMap<BytePath, Entry> {
  try {
    const bytes = readFileSync(treePath(layout, readFileSync(provenPath(layout, root), "utf8")));
    return new Map((parseStream(bytes) ?? []).map((entry) => [entry.path, entry]));
  } catch {
    return NOTHING;
  }
}

function provenPath(layout: StoreLayout, root: string): string {
  return join(layout.cache, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.proven`);
}
