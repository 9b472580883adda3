import { contextOf, type SafetyOptions } from "../context.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import type { Entry } from "../manifest/entry.ts";
import { encodePath } from "../paths/byte-path.ts";
import type { ReportProgress } from "../progress.ts";
import { listManifests, loadCheckpoint } from "../store/load-checkpoint.ts";
import { type Contents, openContents } from "../store/open-contents.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { rebuildMirror } from "../workspace/rebuild-mirror.ts";

/** How thoroughly: that everything is there and long enough, or that every byte is what it was. */
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

/** Verifies a checkpoint, or all of the store's; the answer is `found` where one failed. */
export async function verifyCheckpoints(
  id: string | null,
  options: SafetyOptions & { readonly level?: VerifyLevel },
): Promise<VerifyResult> {
  return withAudit<VerifyResult>(options, async (setPlace) => {
    try {
      const { place, progress } = await contextOf(options);
      setPlace(place);
      rebuildMirror(place);
      const level = options.level ?? "full";
      const ids = id === null ? listManifests(place.layout).map((found) => found.id) : [id];
      const verifications = ids.map((each) => verifyCheckpoint(place.layout, each, level, progress));
      return { status: verifications.every(({ verdict }) => verdict === "PASS") ? "verified" : "found", verifications };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

/** Verifies one checkpoint of a store; an id that is none there is refused. */
export function verifyCheckpoint(
  layout: StoreLayout,
  id: string,
  level: VerifyLevel,
  progress: ReportProgress = () => undefined,
): Verification {
  const result = { id, level, hash: null, entries: 0 };
  try {
    const { manifest, entries } = loadCheckpoint(layout, id);
    const contents = openContents(layout);
    try {
      const failures = [...badHash(manifest.tree, entries), ...badContents(entries, { contents, level, progress })];
      return {
        ...result,
        hash: manifest.tree,
        entries: entries.length,
        verdict: failures.length === 0 ? "PASS" : "FAIL",
        failures,
      };
    } finally {
      contents.close();
    }
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null || trouble.code === "unknown-checkpoint" || trouble.code === "bad-input") throw error;
    return { ...result, verdict: "FAIL", failures: [trouble.message] };
  }
}

function badHash(tree: string, entries: readonly Entry[]): readonly string[] {
  if (`sha256:${hashEntries(entries)}` !== tree) return ["The hash recomputed from the entries is another."];
  return tree === HASH_OF_NOTHING ? ["The hash is that of nothing."] : [];
}

const HASH_OF_NOTHING = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function badContents(
  entries: readonly Entry[],
  {
    contents,
    level,
    progress,
  }: { readonly contents: Contents; readonly level: VerifyLevel; readonly progress: ReportProgress },
): readonly string[] {
  const isGood = level === "full" ? contents.isWhole : contents.has;
  const bad = entries.filter(({ sha256 }, done) => {
    if (done % 256 === 0) progress({ step: "verifying", done, total: entries.length });
    return sha256 !== null && !isGood(sha256);
  });
  return bad.map(({ path }) => `The contents of \`${encodePath(path)}\` are missing or damaged.`);
}
