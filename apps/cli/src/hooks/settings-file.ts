import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSameForOthers, type SettingsProblem } from "@agent-checkpoint/agents";
import { errorCode, errorMessage, replaceFile, writeNew } from "@agent-checkpoint/files";
import { createTwoFilesPatch } from "diff";

/** The new text of a settings file, null for none at all; or why the file is refused. */
type TextPlan =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly problem: SettingsProblem };

type ChangeResult<Plan> =
  | {
      readonly status: "changed" | "unchanged";
      readonly before: string | null;
      readonly plan: Plan;
      /** Where the old text is kept; null if there was none, or nothing was written. */
      readonly backup: string | null;
    }
  | { readonly status: "refused"; readonly problem: SettingsProblem }
  | { readonly status: "failed"; readonly message: string };

interface ChangeOptions {
  readonly isDryRun: boolean;
  /** The time to name a copy of the old text by; null for no copy. */
  readonly backupTime: Date | null;
}

const MAX_ATTEMPTS = 5;

/**
 * Reads a settings file, plans its new text and writes it.
 * Agents write these files too: if one did so in between, everything is done again on what it wrote. A plan that would
 * touch anything that is not ours is a bug, and is not written.
 */
export function changeSettings<Plan extends TextPlan>(
  file: string,
  plan: (text: string | null) => Plan,
  options: ChangeOptions,
): ChangeResult<Extract<Plan, { readonly ok: true }>> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const result = tryChange(file, plan, options);
      if (result !== null) return result;
    }
    return { status: "failed", message: "another program keeps changing it" };
  } catch (error) {
    return { status: "failed", message: describeFault(error) };
  }
}

/** One attempt; null if the file changed under it. */
function tryChange<Plan extends TextPlan>(
  file: string,
  plan: (text: string | null) => Plan,
  { isDryRun, backupTime }: ChangeOptions,
): ChangeResult<Extract<Plan, { readonly ok: true }>> | null {
  const read = readSettings(file);
  if (!read.ok) return { status: "failed", message: read.detail };
  const before = read.text;
  const planned = plan(before);
  if (!planned.ok) return { status: "refused", problem: planned.problem };
  const done = { before, plan: planned as Extract<Plan, { readonly ok: true }>, backup: null };
  if (planned.text === before) return { status: "unchanged", ...done };
  if (!isSameForOthers(before ?? "", planned.text ?? "")) {
    return { status: "failed", message: "the change would touch more than our hooks; please report this" };
  }
  if (isDryRun) return { status: "changed", ...done };
  const backup = before === null || backupTime === null ? null : keepBackup(file, before, backupTime);
  if (replaceFile(file, before, planned.text)) return { status: "changed", ...done, backup: backup?.path ?? null };
  if (backup?.isNew) removeBackup(backup.path);
  return null;
}

/** The text of a settings file; null if there is none. */
type SettingsText =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly detail: string };

/** Reads a settings file as strict UTF-8, because other bytes could not be written back unchanged. */
export function readSettings(file: string): SettingsText {
  try {
    const bytes = readFileSync(file);
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { ok: true, text: null };
    return { ok: false, detail: describeFault(error) };
  }
}

/** What went wrong with a file, in a few words. */
export function describeFault(error: unknown): string {
  return FAULTS[errorCode(error) ?? ""] ?? errorMessage(error);
}

const FAULTS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "it lies on a read-only file system",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ENOSPC: "no space is left on the disk",
  ELOOP: "its symbolic links lead in a circle",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
};

interface Backup {
  readonly path: string;
  readonly text: string;
}

/** Saves a text beside its file under a new name; `isNew` is false if the same copy exists already. */
function keepBackup(file: string, text: string, now: Date): { readonly path: string; readonly isNew: boolean } {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const mode = statSync(file).mode & 0o777;
  for (let number = 1; ; number += 1) {
    const path = `${file}${INFIX}${stamp}${number === 1 ? "" : `-${number}`}`;
    if (writeNew(path, text, mode)) return { path, isNew: true };
    if (readFileSync(path, "utf8") === text) return { path, isNew: false };
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

/** Why a settings file is refused, and what to do. */
export function describeRefusal({ line, column, expected, found }: SettingsProblem): {
  readonly problem: string;
  readonly advice: string;
} {
  return {
    problem: `line ${line}, column ${column}: expected ${expected}, found ${found}.`,
    advice: "The file was left unchanged. Correct that place and run this again.",
  };
}

/** The change of a file as a unified diff; null stands for no file. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  const [from, to] = [before === null ? "/dev/null" : file, after === null ? "/dev/null" : file];
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf("--- "));
}
