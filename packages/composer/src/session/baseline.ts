import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { findGitRoot, listChangedFilesSync } from "@agent-checkpoint/git";
import { findRules } from "../find-project.ts";

const MAX_FILES = 2000;
const GIT_TIMEOUT_MS = 2000;

/** The files that were changed before a session, each with its signature; null if the rules do not need them or git fails. */
export async function takeBaseline(
  projectPath: string,
  home: string | null,
): Promise<Readonly<Record<string, string>> | null> {
  const root = findGitRoot(projectPath);
  if (root === null) return null;
  const loaded = await findRules(root, home);
  const isWanted = loaded.ok && (loaded.rules.scope === "session" || loaded.rules.save?.mode === "autonomous");
  if (!isWanted) return null;
  const changed = listChangedFilesSync(root, { untracked: loaded.rules.untracked, timeoutMs: GIT_TIMEOUT_MS });
  if (changed.status === "unknown" || changed.files.length > MAX_FILES) return null;
  return Object.fromEntries(changed.files.map((file) => [file, fileSignature(root, file)]));
}

/** A short mark of a file's state that differs once the file has changed. */
export function fileSignature(root: string, file: string): string {
  const stats = statsOf(join(root, file));
  return stats === null ? "absent" : `${stats.size}:${stats.mtimeMs}`;
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
