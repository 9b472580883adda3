import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Agent,
  AGENTS,
  type HooksForm,
  type Registration,
  type SettingsPlace,
  type SettingsScope,
  skillsFolder,
} from "@agent-checkpoint/agents";
import { findGitRoot } from "@agent-checkpoint/git";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Environment } from "../environment.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { changeSkills, removeIfEmpty, type SkillReport } from "./install-skills.ts";
import type { Page } from "../terminal/page.ts";
import {
  changeSettings,
  describeRefusal,
  listBackups,
  readSettings,
  removeBackup,
  unifiedDiff,
} from "./settings-file.ts";

/** What `uninstall` did, or would do; the value that `--json` prints. */
export interface UninstallReport {
  readonly isDryRun: boolean;
  readonly scope: SettingsScope;
  readonly agents: readonly RemovalReport[];
}

interface RemovalReport {
  readonly agent: AgentName;
  readonly title: string;
  readonly file: string;
  readonly status: "removed" | "unchanged" | "refused" | "failed";
  /** The events whose hooks were removed. */
  readonly events: readonly string[];
  /** Whether the file was deleted too, because `init` had created it. */
  readonly isFileRemoved: boolean;
  /** Backups by `init` that are no longer needed, because the file is the same again. */
  readonly removedBackups: readonly string[];
  /** Backups that stay, because the file differs from them. */
  readonly keptBackups: readonly string[];
  /** Our skills, and a person's own skills of the same names. */
  readonly skills: readonly SkillReport[];
  readonly problem: string | null;
  readonly advice: string | null;
  readonly notes: readonly string[];
  readonly diff: string | null;
}

interface UninstallRequest {
  /** The named agents; all if none is named. */
  readonly agents: readonly AgentName[];
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
}

export function runUninstall({ agents, scope, isDryRun }: UninstallRequest, environment: Environment): UninstallReport {
  const { env, userHome, cwd } = environment;
  const place: SettingsPlace = { env, userHome, projectRoot: findGitRoot(cwd) ?? cwd };
  const meant = AGENTS.filter(({ name }) => agents.length === 0 || agents.includes(name));
  return { isDryRun, scope, agents: meant.map((agent) => removeFromAgent(agent, place, { scope, isDryRun })) };
}

/** The exit code: 3 if a file could not be read or written, 1 if one was refused. */
export function uninstallExitCode({ agents }: UninstallReport): ExitCode {
  const hasFailed = ({ status }: { readonly status: string }) => status === "failed";
  if (agents.some((agent) => hasFailed(agent) || agent.skills.some(hasFailed))) return EXIT.failed;
  return agents.some(({ status }) => status === "refused") ? EXIT.found : EXIT.ok;
}

/** Removes our hooks from an agent's settings, and the file if `init` created it and nothing else is in it. */
function removeFromAgent(
  agent: Agent,
  place: SettingsPlace,
  { scope, isDryRun }: { readonly scope: SettingsScope; readonly isDryRun: boolean },
): RemovalReport {
  const file = agent.settingsFile(scope, place);
  const skills = changeSkills(skillsFolder(agent, scope, place), { isWanted: false, isDryRun });
  const report = { ...NOTHING, agent: agent.name, title: agent.title, file, skills };
  const result = changeSettings(file, (text) => planFor(file, text, agent.hooksForm), { isDryRun, backupTime: null });
  if (result.status === "refused") return { ...report, status: "refused", ...describeRefusal(result.problem) };
  if (result.status === "failed") {
    const advice = "Nothing was written there. Fix that and run `checkpoint uninstall` again.";
    return { ...report, status: "failed", problem: result.message, advice };
  }
  const { plan, before } = result;
  const isFileRemoved = result.status === "changed" && plan.text === null;
  const backups = isDryRun ? {} : tidyBackups(file, agent.hooksForm);
  if (isFileRemoved && !isDryRun) removeIfEmpty(dirname(file));
  return {
    ...report,
    status: result.status === "changed" ? "removed" : "unchanged",
    events: plan.removed.map(({ event }) => event),
    isFileRemoved,
    ...backups,
    notes: plan.leftAlone.map(
      ({ event, line }) => `Line ${line} calls checkpoint-hook for ${event} by a command of your own: left unchanged.`,
    ),
    diff: isDryRun && result.status === "changed" ? unifiedDiff(file, before, plan.text) : null,
  };
}

const NOTHING = {
  events: [],
  isFileRemoved: false,
  removedBackups: [],
  keptBackups: [],
  skills: [],
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

function planFor(file: string, text: string | null, form: HooksForm) {
  if (text === null) return { ok: true, text, removed: [], leftAlone: [] } satisfies FilePlan;
  const plan = form.planRemoval(text);
  if (!plan.ok || !plan.isEmpty || plan.removed.length === 0) return plan;
  return { ...plan, text: emptyText(file, plan.text, form) };
}

/**
 * The text of a file that has become empty: its original text, from the oldest backup; null, to delete it, if `init` created
 * it.
 */
function emptyText(file: string, text: string, form: HooksForm): string | null {
  const original = listBackups(file).find(({ text }) => !hasOurHooks(text, form));
  if (original !== undefined) return original.text.trim() === "" ? original.text : text;
  // A link belongs to a program that keeps the settings elsewhere.
  return lstatSync(file).isSymbolicLink() ? text : null;
}

function hasOurHooks(text: string, form: HooksForm): boolean {
  const result = form.read(text);
  return result.ok && result.registrations.some(({ isOurs }) => isOurs);
}

/** Removes the backups that are the same as the file, or that contain only our hooks. */
function tidyBackups(file: string, form: HooksForm): Pick<RemovalReport, "removedBackups" | "keptBackups"> {
  const now = readSettings(file);
  const backups = listBackups(file);
  const isNeedless = (text: string) => (now.ok && now.text === text) || isOnlyOurs(text, form);
  const removed = backups.filter(({ text }) => isNeedless(text));
  for (const { path } of removed) removeBackup(path);
  return {
    removedBackups: removed.map(({ path }) => path),
    keptBackups: backups.filter((backup) => !removed.includes(backup)).map(({ path }) => path),
  };
}

function isOnlyOurs(text: string, form: HooksForm): boolean {
  const plan = form.planRemoval(text);
  return plan.ok && plan.isEmpty;
}

/** The report as text; `home` is the folder of the store, which stays. */
export function renderUninstall({ agents, isDryRun, scope }: UninstallReport, page: Page, home: string): string {
  const told = agents.filter(
    ({ status, notes, skills }) =>
      status !== "unchanged" || notes.length > 0 || skills.some((skill) => skill.status !== "unchanged"),
  );
  const untouched = agents.filter((agent) => !told.includes(agent)).map(({ title }) => title);
  const other = scope === "user" ? "For a project's settings, run `checkpoint uninstall --project`." : "";
  const sections = [
    ...told.map((agent) => agentSection(agent, isDryRun, page)),
    untouched.length === 0
      ? ""
      : page.paragraph(`No hooks of ours in the settings of ${untouched.join(", ")}. ${other}`),
    isDryRun
      ? page.paragraph("This was a dry run: nothing was written.")
      : page.paragraph(
          `The record of past stops stays in ${home}, and a repository's checkpoint.config.json where it is.`,
        ),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function agentSection(agent: RemovalReport, isDryRun: boolean, page: Page): string {
  const { title, advice, removedBackups, keptBackups, skills, notes, diff } = agent;
  return [
    page.heading(title),
    ...saidOf(agent, isDryRun, page),
    ...(advice === null ? [] : [page.line("more", advice)]),
    ...removedBackups.map((path) => page.line("more", `Removed the copy that is no longer needed: ${path}`)),
    ...keptBackups.map((path) => page.line("more", `A copy from before is still there: ${path}`)),
    ...skills.flatMap((skill) => skillLine(skill, isDryRun, page)),
    ...notes.map((note) => page.line("warn", note)),
    ...(diff === null ? [] : ["\n", page.diff(diff)]),
  ].join("");
}

function skillLine({ status, file, problem }: SkillReport, isDryRun: boolean, page: Page): readonly string[] {
  if (status === "failed") return [page.line("bad", `${file} could not be removed: ${problem}.`)];
  if (status === "kept") return [page.line("warn", `${file} is your own, or was changed by you: left unchanged.`)];
  if (status === "unchanged") return [];
  return [page.line(isDryRun ? "step" : "good", `${file} ${isDryRun ? "would be removed" : "removed"}.`)];
}

function saidOf({ status, file, events, isFileRemoved, problem }: RemovalReport, isDryRun: boolean, page: Page) {
  if (status === "refused") return [page.line("bad", `${file} cannot be read, ${problem}`)];
  if (status === "failed") return [page.line("bad", `${file} could not be changed: ${problem}.`)];
  if (status === "unchanged") return [];
  const names = [...new Set(events)].join(" and ");
  const [mark, verb] = isDryRun ? (["step", "would be removed"] as const) : (["good", "removed"] as const);
  const rest = isFileRemoved
    ? `; the file ${isDryRun ? "holds nothing else, and would go too" : "held nothing else, and is gone too"}`
    : "";
  return [page.line(mark, `Hooks for ${names} ${verb} from ${file}${rest}.`)];
}
