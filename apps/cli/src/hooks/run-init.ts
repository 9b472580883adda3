import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Agent,
  AGENTS,
  type Blocker,
  findForeignSyntax,
  findInstalled,
  findOnPath,
  HOOK_PROGRAM,
  type HookChange,
  type InstalledAgent,
  isProgram,
  mendSyntax,
  type SettingsPlace,
  type SettingsProblem,
  type SettingsScope,
  skillsFolder,
  wantedHooks,
} from "@agent-checkpoint/agents";
import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import { loadRules } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import type { AgentName } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Environment } from "../environment.ts";
import type { Finding } from "../proposal/propose-config.ts";
import { changeSkills, type SkillReport } from "./install-skills.ts";
import { type HookCommands, hookCommands } from "./hook-commands.ts";
import { changeSettings, describeRefusal, readSettings, unifiedDiff } from "./settings-file.ts";
import { writeConfig } from "./write-config.ts";

/** What `init` did, or would do; the value that `--json` prints. */
export interface InitReport {
  readonly isDryRun: boolean;
  readonly scope: SettingsScope;
  /** The repository; null outside of one. */
  readonly root: string | null;
  readonly agents: readonly AgentReport[];
  /** Agents that were not found. */
  readonly notFound: readonly AgentName[];
  /** The repository's config; null if it was not asked for. */
  readonly config: ConfigReport | null;
  /** What is left to do for all agents. */
  readonly next: readonly string[];
}

export interface AgentReport {
  readonly agent: AgentName;
  readonly title: string;
  /** Its version; null if it is not known. */
  readonly version: string | null;
  readonly file: string;
  readonly status: "registered" | "unchanged" | "too-old" | "refused" | "failed";
  readonly isNewFile: boolean;
  /** Whether it was refused for something that `--mend` takes out. */
  readonly isMendable: boolean;
  readonly hooks: readonly HookChange[];
  /** The copy of the original file. */
  readonly backup: string | null;
  /** What happened to our skills in its folder of skills. */
  readonly skills: readonly SkillReport[];
  /** What went wrong, and what to do about it. */
  readonly problem: string | null;
  readonly advice: string | null;
  /** Remarks that ask for nothing. */
  readonly notes: readonly string[];
  /** What the person has to do before the hooks run. */
  readonly next: readonly string[];
  /** The change as a unified diff, in a dry run. */
  readonly diff: string | null;
}

export interface ConfigReport {
  readonly file: string;
  readonly status: "written" | "kept" | "failed";
  readonly preset: string;
  /** The actions that are asked for, and the source of each command. */
  readonly found: readonly Finding[];
  /** Checks of the repository, which are mentioned but never block. */
  readonly checks: readonly Finding[];
  /** What was not found or not understood, in plain words. */
  readonly notes: readonly string[];
  /** Rows that an existing config lacks. */
  readonly missing: string;
  readonly problem: string | null;
  readonly diff: string | null;
  /** How many of the last sessions on this machine were in the repository: `checkpoint learn` reads them. */
  readonly sessions: number;
}

export interface InitRequest {
  /** The named agents; if empty, all that are found. */
  readonly agents: readonly AgentName[];
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
  readonly isConfigWanted: boolean;
  readonly areSkillsWanted: boolean;
  /** Whether comments and the like that an agent cannot read may be taken out of its settings. */
  readonly isMending: boolean;
}

/** Registers our hooks with the agents that are there, and gives the repository a config. */
export async function runInit(request: InitRequest, environment: Environment): Promise<InitReport> {
  const { env, cwd, userHome, home, now, systemRoot } = environment;
  const { agents, scope, isDryRun, isConfigWanted, areSkillsWanted, isMending } = request;
  const root = findGitRoot(cwd);
  if (scope === "project" && root === null) {
    throw new CliError(`--project needs a repository, and ${cwd} is not in one.`, {
      exitCode: EXIT.usage,
      advice: "Go into the repository, or leave --project out to set it up for yourself.",
    });
  }
  const place: SettingsPlace = { env, userHome, projectRoot: root ?? cwd, systemRoot };
  const commands = hookCommands(scope, env);
  const found = await findAgents(place, agents);
  const loaded = loadRules(place.projectRoot, home);
  const hasGate = loaded.ok && loaded.rules.safety?.gate === true;
  const mode = (loaded.ok ? loaded.rules.save?.mode : undefined) ?? "normal";
  const saves = isAutonomous({ env, userHome, mode });
  const isMeant = ({ isThere }: { readonly isThere: boolean }) => isThere || agents.length > 0;
  return {
    isDryRun,
    scope,
    root,
    agents: found
      .filter(isMeant)
      .map((one) => ({
        one,
        report: registerAgent(one, place, { scope, isDryRun, isMending, commands, now, hasGate, isAutonomous: saves }),
      }))
      .map(({ one: { agent }, report }) =>
        areSkillsWanted && (report.status === "registered" || report.status === "unchanged")
          ? { ...report, skills: changeSkills(skillsFolder(agent, scope, place), { isWanted: true, isDryRun }) }
          : report,
      ),
    notFound: found.filter((one) => !isMeant(one)).map(({ agent }) => agent.name),
    config:
      isConfigWanted && root !== null
        ? { ...(await writeConfig(root, isDryRun)), sessions: await countPastSessions(root, place) }
        : null,
    next: scope === "project" ? projectSteps(place) : [],
  };
}

const MAX_TRANSCRIPTS = 300;

async function countPastSessions(root: string, place: SettingsPlace): Promise<number> {
  const [{ findTranscripts }, { countSessions }, { repositoryOf }] = await Promise.all([
    import("../replay/files/find-transcripts.ts"),
    import("../learn/learn-commands.ts"),
    import("../sessions/repository-of.ts"),
  ]);
  const folders = AGENTS.flatMap((agent) => agent.transcriptFolders(place));
  const newest = findTranscripts(folders, root).files.slice(0, MAX_TRANSCRIPTS);
  return countSessions(
    newest.map(({ path }) => path),
    repositoryOf(root),
  );
}

/** In a project's settings the program is called by name: everybody who works there needs it. */
function projectSteps({ env, projectRoot }: SettingsPlace): readonly string[] {
  const local = join(projectRoot, "node_modules", ".bin", HOOK_PROGRAM);
  const isThere = findOnPath(HOOK_PROGRAM, env["PATH"]) !== null || isProgram(local);
  const install = "`npm install --save-dev @agent-checkpoint/cli`";
  return [
    "Commit the settings, so that they reach everybody who works here.",
    isThere
      ? `Everybody who works here needs the package too: without it the hooks stay silent. Add it to the project: ${install}`
      : `\`${HOOK_PROGRAM}\` is neither on the PATH nor in node_modules, and stays silent until it is, for you and everybody else: ${install}`,
  ];
}

/** The exit code: 3 if a file could not be read or written, 2 if all were refused, 1 if some were. */
export function initExitCode({ agents, config }: InitReport): ExitCode {
  const hasFailed = ({ status }: { readonly status: string }) => status === "failed";
  if (agents.some((agent) => hasFailed(agent) || agent.skills.some(hasFailed)) || config?.status === "failed")
    return EXIT.failed;
  const refused = agents.filter(({ status }) => status === "refused" || status === "too-old");
  if (refused.length > 0 && refused.length === agents.length) return EXIT.usage;
  return refused.length > 0 || agents.length === 0 ? EXIT.found : EXIT.ok;
}

/** An agent, and its program if that is on the PATH. */
interface FoundAgent {
  readonly agent: Agent;
  readonly installed: InstalledAgent | null;
  /** Whether the person has it: its program, or its settings. */
  readonly isThere: boolean;
}

/** Looks for all agents, or for the named ones. */
function findAgents(place: SettingsPlace, named: readonly AgentName[]): Promise<readonly FoundAgent[]> {
  const wanted = AGENTS.filter(({ name }) => named.length === 0 || named.includes(name));
  return Promise.all(
    wanted.map(async (agent) => {
      const installed = await findInstalled(agent, place.env);
      return { agent, installed, isThere: installed !== null || existsSync(agent.homeFolder(place)) };
    }),
  );
}

interface RegisterOptions {
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
  readonly isMending: boolean;
  readonly commands: HookCommands;
  readonly now: () => Date;
  /** Whether a config asks for a checkpoint before changes. */
  readonly hasGate: boolean;
  /** Whether work is saved without asking here. */
  readonly isAutonomous: boolean;
}

function registerAgent(
  { agent, installed }: FoundAgent,
  place: SettingsPlace,
  { scope, isDryRun, isMending, commands, now, hasGate, isAutonomous }: RegisterOptions,
): AgentReport {
  const { name, title, events } = agent;
  const file = agent.settingsFile(scope, place);
  const version = installed?.version ?? null;
  const wanted = wantedHooks(agent, { command: (args) => commands(agent, args), version, hasGate, isAutonomous });
  const report = { ...NOTHING, agent: name, title, version, file };
  if (!events.some(({ kind, name }) => kind === "stop" && wanted.some(({ event }) => event === name))) {
    return {
      ...report,
      status: "too-old",
      problem: `${title} ${version} has no hooks for us.`,
      advice: `Update ${title}.`,
    };
  }
  const foreign = foreignSyntaxIn(file, agent);
  if (foreign !== null && !isMending) {
    const advice = `${title} would run none of its hooks. Remove that, or let \`checkpoint init --mend\` do it; a copy is kept.`;
    return { ...report, status: "refused", isMendable: true, ...describeRefusal(foreign), advice };
  }
  const readable = (text: string | null) =>
    text === null || !isMending ? text : mendSyntax(text, agent.settingsSyntax);
  const result = changeSettings(file, (text) => agent.hooksForm.plan(readable(text), wanted), {
    isDryRun,
    backupTime: now(),
  });
  if (result.status === "refused") return { ...report, status: "refused", ...describeRefusal(result.problem) };
  if (result.status === "failed") {
    const advice = "Nothing was written there. Fix that and run `checkpoint init` again.";
    return { ...report, status: "failed", problem: result.message, advice };
  }
  const { before, plan, backup } = result;
  const otherScope = agent.settingsFile(scope === "user" ? "project" : "user", place);
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
      ...(foreign === null ? [] : [`${title} could not read all of it: what it cannot read was taken out.`]),
      ...ownCommandNotes(plan.changes),
      ...otherRegistrationNotes(agent, [otherScope, ...agent.otherSettingsFiles(place)], file),
    ],
    next: [...agent.blockers(place).map(describeBlocker), ...agent.nextSteps(file, place, version)],
    diff: isDryRun && result.status === "changed" ? unifiedDiff(file, before, plan.text) : null,
  };
}

const NOTHING = {
  isNewFile: false,
  isMendable: false,
  hooks: [],
  backup: null,
  skills: [],
  problem: null,
  advice: null,
  notes: [],
  next: [],
  diff: null,
} as const;

/** Syntax in a settings file that we can read but the agent cannot; null if there is none. */
function foreignSyntaxIn(file: string, { settingsSyntax, hooksForm }: Agent): SettingsProblem | null {
  const read = readSettings(file);
  if (!read.ok || read.text === null || !hooksForm.read(read.text).ok) return null;
  return findForeignSyntax(read.text, settingsSyntax);
}

/** The file that stores an agent's trust is not for editing, so it is not named; every other file is. */
function describeBlocker({ id, file, what, fix }: Blocker): string {
  return id.startsWith("folder-") ? `${what} ${fix}` : `In ${file}: ${what} ${fix}`;
}

function ownCommandNotes(changes: readonly HookChange[]): readonly string[] {
  const events = changes.filter(({ kind }) => kind === "left-alone").map(({ event }) => event);
  if (events.length === 0) return [];
  return [`For ${events.join(" and ")} the file has a command of your own that calls checkpoint-hook: left unchanged.`];
}

/** Two registrations are harmless, because a turn is blocked only once, but each call takes time. */
function otherRegistrationNotes({ hooksForm }: Agent, others: readonly string[], file: string): readonly string[] {
  const registering = others.filter((other) => {
    const read = other === file ? null : readSettings(other);
    const found = read?.ok === true && read.text !== null ? hooksForm.read(read.text) : null;
    return found?.ok === true && found.registrations.some(({ isOurs }) => isOurs);
  });
  return registering.map(
    (other) => `${other} registers our hooks too: they run twice and answer once. One registration is enough.`,
  );
}
