import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A copy of a settings file, made before it was changed. */
export interface Backup {
  readonly path: string;
  readonly text: string;
}

/** Keeps a text beside its file under a name of its own; `isNew` is false where the same copy is there already. */
export function keepBackup(file: string, text: string, now: Date): { readonly path: string; readonly isNew: boolean } {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const mode = statSync(file).mode & 0o777;
  for (let number = 1; ; number += 1) {
    const path = `${file}${INFIX}${stamp}${number === 1 ? "" : `-${number}`}`;
    try {
      writeFileSync(path, text, { flag: "wx", mode });
      return { path, isNew: true };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (readFileSync(path, "utf8") === text) return { path, isNew: false };
    }
  }
}

/** The copies of a file that were kept, oldest first. */
export function listBackups(file: string): readonly Backup[] {
  const prefix = basename(file) + INFIX;
  try {
    const names = readdirSync(dirname(file)).filter((name) => name.startsWith(prefix));
    return names.toSorted().map((name) => {
      const path = join(dirname(file), name);
      return { path, text: readFileSync(path, "utf8") };
    });
  } catch {
    return [];
  }
}

export function removeBackup(path: string): void {
  rmSync(path, { force: true });
}

const INFIX = ".agent-checkpoint-backup-";
