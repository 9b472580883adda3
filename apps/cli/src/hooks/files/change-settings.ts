import { isSameForOthers, type SettingsProblem } from "@agent-checkpoint/agents";
import { keepBackup, removeBackup } from "./backups.ts";
import { readSettings, sayFault } from "./read-settings.ts";
import { replaceFile } from "./replace-file.ts";

/** The new text of a settings file, null for none at all; or why the file is refused. */
export type TextPlan =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** What came of a change. */
export type ChangeResult<Plan> =
  | {
      readonly status: "changed" | "unchanged";
      readonly before: string | null;
      readonly plan: Plan;
      /** Where the old text is kept; null where there was none, or nothing was written. */
      readonly backup: string | null;
    }
  | { readonly status: "refused"; readonly problem: SettingsProblem }
  | { readonly status: "failed"; readonly message: string };

/** How a change is made. */
export interface ChangeOptions {
  readonly isDryRun: boolean;
  /** The time to name a copy of the old text by; null for no copy. */
  readonly backupTime: Date | null;
}

const ATTEMPTS = 5;

/**
 * Reads a settings file, plans its new text and writes it.
 * Agents write these files too: where one did so in between, everything is done again on what it wrote. A plan that would
 * touch anything that is not ours is a bug, and is not written.
 */
export function changeSettings<Plan extends TextPlan>(
  file: string,
  plan: (text: string | null) => Plan,
  options: ChangeOptions,
): ChangeResult<Extract<Plan, { readonly ok: true }>> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = tryChange(file, plan, options);
      if (result !== null) return result;
    }
    return { status: "failed", message: "another program keeps changing it" };
  } catch (error) {
    return { status: "failed", message: sayFault(error) };
  }
}

/** One attempt; null where the file changed under it. */
function tryChange<Plan extends TextPlan>(
  file: string,
  plan: (text: string | null) => Plan,
  { isDryRun, backupTime }: ChangeOptions,
): ChangeResult<Extract<Plan, { readonly ok: true }>> | null {
  const read = readSettings(file);
  if (!read.ok) return { status: "failed", message: read.message };
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
