import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type WorkTree, parseNames, runGit } from "./read-changes.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { StoreLayout } from "../store/store-layout.ts";

/**
 * The files of the index that no attribute and no setting converts on their way to the disk, with the ids of their
 * contents: what git calls unchanged is then on the disk byte for byte. None if contents may be far away, or have ids of
 * another kind.
 */
export async function listUnconverted(tree: WorkTree): Promise<Map<BytePath, string>> {
  const [settings, listed] = await Promise.all([
    runGit(["config", "--get-regexp", "^core\\.(autocrlf|eol)$"], { cwd: tree.root, isNothingOk: true }),
    runGit(["ls-files", "--stage", "-v", "-z", "--", PLAIN], { cwd: tree.root, hasPatterns: true }),
  ]);
  const files = new Map<BytePath, string>();
  const isConverted = !settings.ok || /autocrlf (?!false$)/m.test(settings.stdout.toString());
  if (isConverted || !listed.ok || isPartial(tree)) return files;
  for (const row of parseNames(listed.stdout)) {
    const [, oid, path] = ROW.exec(row) ?? [];
    if (oid !== undefined && path !== undefined) files.set(path, oid);
  }
  return files;
}

const PLAIN = ":(top,attr:!text !crlf !eol !filter !ident !working-tree-encoding)";
/** A plain file that git watches and nobody disputes. */
const ROW = /^H 100(?:644|755) ([0-9a-f]{40}) 0\t(.+)$/s;

function isPartial({ commonDir }: WorkTree): boolean {
  try {
    return /partialclone|promisor/i.test(readFileSync(join(commonDir, "config"), "utf8"));
  } catch {
    return true;
  }
}

/** Copies contents from the user's repository into the store as git has packed them; false if one is not there. */
export async function copyBlobs(
  tree: WorkTree,
  oids: readonly string[],
  { repository }: StoreLayout,
): Promise<boolean> {
  const pack = join(repository, "objects", "pack", "pack");
  const args = ["pack-objects", "--quiet", "--window=0", "--delta-base-offset", pack];
  const input = [Buffer.from(`${[...new Set(oids)].join("\n")}\n`)];
  const result = await runGit(args, { cwd: tree.root, input, settings: ["pack.compression=1"], timeoutMs: 600_000 });
  return result.ok;
}
