import {
  type Hindrance,
  type HookChange,
  planRegistration,
  readRegistrations,
  type SettingsPlace,
  type SettingsScope,
  wantedHooks,
} from "@agent-checkpoint/agents";
import { changeSettings } from "./files/change-settings.ts";
import { readSettings } from "./files/read-settings.ts";
import type { FoundAgent } from "./find-agents.ts";
import type { HookCommands } from "./hook-commands.ts";
import type { AgentReport } from "./init-report.ts";
import { sayProblem } from "./say-problem.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** How hooks are registered. */
export interface RegisterOptions {
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
  readonly commands: HookCommands;
  readonly now: () => Date;
  /** Whether a config asks for a checkpoint before changes. */
  readonly hasGate: boolean;
  /** Whether work is saved without asking here. */
  readonly isAutonomous: boolean;
}

/** Registers our hooks with an agent. */
export function registerAgent(
  { settings, installed }: FoundAgent,
  place: SettingsPlace,
  { scope, isDryRun, commands, now, hasGate, isAutonomous }: RegisterOptions,
): AgentReport {
  const { agent, title, events } = settings;
  const file = settings.settingsFile(scope, place);
  const version = installed?.version ?? null;
  const wanted = wantedHooks(settings, { command: (args) => commands(settings, args), version, hasGate, isAutonomous });
  const report = { ...NOTHING, agent, title, version, file };
  if (!events.some(({ kind, name }) => kind === "stop" && wanted.some(({ event }) => event === name))) {
    return {
      ...report,
      status: "too-old",
      problem: `${title} ${version} has no hooks for us.`,
      advice: `Update ${title}.`,
    };
  }
  const result = changeSettings(file, (text) => planRegistration(text, wanted), {
    isDryRun,
    backupTime: now(),
  });
  if (result.status === "refused") return { ...report, status: "refused", ...sayProblem(result.problem) };
  if (result.status === "failed") {
    const advice = "Nothing was written there. Put that right and run `checkpoint init` again.";
    return { ...report, status: "failed", problem: result.message, advice };
  }
  const { before, plan, backup } = result;
  const unknown = events.filter(({ name }) => !wanted.some(({ event }) => event === name));
  return {
    ...report,
    status: result.status === "changed" ? "registered" : "unchanged",
    isNewFile: before === null,
    hooks: plan.changes,
    backup,
    notes: [
      ...unknown.map(
        ({ name, since }) => `${title} ${version} does not know ${name}, which came with ${since}: left out.`,
      ),
      ...ownCommandNotes(plan.changes),
      ...otherScopeNotes(settings.settingsFile(scope === "user" ? "project" : "user", place), file),
    ],
    next: [...settings.hindrances(place).map(sayHindrance), ...settings.nextSteps(file, place, version)],
    diff: isDryRun && result.status === "changed" ? unifiedDiff(file, before, plan.text) : null,
  };
}

const NOTHING = {
  isNewFile: false,
  hooks: [],
  backup: null,
  problem: null,
  advice: null,
  notes: [],
  next: [],
  diff: null,
} as const;

/** Where an agent keeps its trust is its own affair; every other file is one that the person edits. */
function sayHindrance({ id, file, what, fix }: Hindrance): string {
  return id.startsWith("folder-") ? `${what} ${fix}` : `In ${file}: ${what} ${fix}`;
}

function ownCommandNotes(changes: readonly HookChange[]): readonly string[] {
  const events = changes.filter(({ kind }) => kind === "left-alone").map(({ event }) => event);
  if (events.length === 0) return [];
  return [`For ${events.join(" and ")} the file has a command of your own that calls checkpoint-hook: left as it is.`];
}

/** Two registrations are harmless, as a turn is blocked once, but each call takes its time. */
function otherScopeNotes(other: string, file: string): readonly string[] {
  if (other === file) return [];
  const read = readSettings(other);
  const found = read.ok && read.text !== null ? readRegistrations(read.text) : null;
  if (found?.ok !== true || !found.registrations.some(({ isOurs }) => isOurs)) return [];
  return [`${other} registers our hooks as well: they run twice, and speak once. One of the two is enough.`];
}
