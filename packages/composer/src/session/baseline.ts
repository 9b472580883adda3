import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { findGitRoot, listChangedFilesSync } from "@agent-checkpoint/git";
import { findRules } from "../rules/find-rules.ts";
import type { KeptRules } from "../rules/kept-rules.ts";

const MOST_FILES = 2000;

/** How a baseline is taken. */
export interface BaselineOptions {
  /** The folder with the personal config. */
  readonly home: string | null;
  readonly keptRules?: KeptRules | undefined;
  /** How long git may take: 2 seconds unless given. */
  readonly timeoutMs?: number | undefined;
}

/** What was already dirty when a session began; null where nobody wants to know, or nothing can be told. */
export async function takeBaseline(
  projectPath: string,
  { home, keptRules, timeoutMs = 2000 }: BaselineOptions,
): Promise<Readonly<Record<string, string>> | null> {
  const root = findGitRoot(projectPath);
  if (root === null) return null;
  const loaded = await findRules(root, home, keptRules);
  const isWanted = loaded.ok && (loaded.rules.scope === "session" || loaded.rules.save?.mode === "autonomous");
  if (!loaded.ok || !isWanted) return null;
  const changed = listChangedFilesSync(root, { untracked: loaded.rules.untracked, timeoutMs });
  if (changed.status === "unknown" || changed.files.length > MOST_FILES) return null;
  return Object.fromEntries(changed.files.map((file) => [file, fileSignature(root, file)]));
}

/** A short mark of a file's state that differs once the file has changed. */
export function fileSignature(root: string, file: string): string {
  const stats = statsOf(join(root, file));
  return stats === null ? "absent" : `${stats.size}:${stats.mtimeMs}`;
}

/** Whether a file changed after a moment; of a file that is gone its folder tells. */
export function changedAfter(root: string, file: string, moment: Date): boolean {
  for (let path = join(root, file); ; path = dirname(path)) {
    const stats = statsOf(path);
    if (stats !== null) return stats.ctimeMs > moment.getTime();
    if (dirname(path) === path) return true;
  }
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
