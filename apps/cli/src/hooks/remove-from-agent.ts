import { lstatSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  type AgentSettings,
  planRemoval,
  readRegistrations,
  type Registration,
  type SettingsPlace,
  type SettingsScope,
} from "@agent-checkpoint/agents";
import { listBackups, removeBackup } from "./files/backups.ts";
import { changeSettings } from "./files/change-settings.ts";
import { readSettings } from "./files/read-settings.ts";
import { sayProblem } from "./say-problem.ts";
import { unifiedDiff } from "./unified-diff.ts";
import type { RemovalReport } from "./uninstall-report.ts";

/** Takes our hooks out of an agent's settings; a file that `init` made and that holds nothing else goes too. */
export function removeFromAgent(
  settings: AgentSettings,
  place: SettingsPlace,
  { scope, isDryRun }: { readonly scope: SettingsScope; readonly isDryRun: boolean },
): RemovalReport {
  const { agent, title } = settings;
  const file = settings.settingsFile(scope, place);
  const report = { ...NOTHING, agent, title, file };
  const result = changeSettings(file, (text) => planFor(file, text), { isDryRun, backupTime: null });
  if (result.status === "refused") return { ...report, status: "refused", ...sayProblem(result.problem) };
  if (result.status === "failed") {
    const advice = "Nothing was written there. Put that right and run `checkpoint uninstall` again.";
    return { ...report, status: "failed", problem: result.message, advice };
  }
  const { plan, before } = result;
  if (result.status === "changed" && plan.text === null && !isDryRun && scope === "project")
    removeIfEmpty(dirname(file));
  return {
    ...report,
    status: result.status === "changed" ? "removed" : "unchanged",
    events: plan.removed.map(({ event }) => event),
    isFileRemoved: result.status === "changed" && plan.text === null,
    ...(isDryRun ? {} : tidyBackups(file)),
    notes: plan.leftAlone.map(
      ({ event, line }) => `Line ${line} calls checkpoint-hook for ${event} by a command of your own: it stays.`,
    ),
    diff: isDryRun && result.status === "changed" ? unifiedDiff(file, before, plan.text) : null,
  };
}

const NOTHING = {
  events: [],
  isFileRemoved: false,
  removedBackups: [],
  keptBackups: [],
  problem: null,
  advice: null,
  notes: [],
  diff: null,
} as const;

interface FilePlan {
  readonly ok: true;
  readonly text: string | null;
  readonly removed: readonly Registration[];
  readonly leftAlone: readonly Registration[];
}

function planFor(file: string, text: string | null) {
  if (text === null) return { ok: true, text, removed: [], leftAlone: [] } satisfies FilePlan;
  const plan = planRemoval(text);
  if (!plan.ok || !plan.isEmpty || plan.removed.length === 0) return plan;
  return { ...plan, text: emptyText(file, plan.text) };
}

/** What a file with nothing in it is to become: what it was before `init`, by the oldest copy; nothing where `init` made it. */
function emptyText(file: string, text: string): string | null {
  const original = listBackups(file).find(({ text }) => !hasOurHooks(text));
  if (original !== undefined) return original.text.trim() === "" ? original.text : text;
  // A link belongs to whatever keeps the settings elsewhere.
  return lstatSync(file).isSymbolicLink() ? text : null;
}

function hasOurHooks(text: string): boolean {
  const result = readRegistrations(text);
  return result.ok && result.registrations.some(({ isOurs }) => isOurs);
}

/** Removes the copies that say no more than the file does, or that hold nothing but our hooks. */
function tidyBackups(file: string): Pick<RemovalReport, "removedBackups" | "keptBackups"> {
  const now = readSettings(file);
  const backups = listBackups(file);
  const isNeedless = (text: string) => (now.ok && now.text === text) || isOnlyOurs(text);
  const removed = backups.filter(({ text }) => isNeedless(text));
  for (const { path } of removed) removeBackup(path);
  return {
    removedBackups: removed.map(({ path }) => path),
    keptBackups: backups.filter((backup) => !removed.includes(backup)).map(({ path }) => path),
  };
}

function isOnlyOurs(text: string): boolean {
  const plan = planRemoval(text);
  return plan.ok && plan.isEmpty;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else.
  }
}
