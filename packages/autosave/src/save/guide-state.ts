import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../git/run-git.ts";
import { names } from "../git/read-texts.ts";

/** A file at the root that goes along with the commit: where it is there, changed, and nothing of it is staged. */
export async function guideState(
  root: string,
  path: string,
): Promise<readonly { readonly path: string; readonly isNew: boolean }[]> {
  const file = join(root, path);
  if (!existsSync(file) || !lstatSync(file).isFile()) return [];
  const { stdout } = await runGit(
    ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", path],
    { cwd: root },
  );
  const [line] = names(stdout);
  if (line === undefined) return [];
  const state = line.slice(0, 2);
  return state === "??" || state === " M" ? [{ path, isNew: state === "??" }] : [];
}
