import { existsSync, readFileSync, realpathSync } from "node:fs";
import {
  type Agent,
  AGENTS,
  type Blocker,
  findForeignSyntax,
  findInstalled,
  type HooksFile,
  type InstalledAgent,
  type Registration,
  type SettingsPlace,
  type SettingsProblem,
  type SettingsScope,
} from "@agent-checkpoint/agents";
import { errorMessage } from "@agent-checkpoint/files";
import type { AgentName } from "@agent-checkpoint/transcript";

/** An agent with its program and its settings. */
export interface ExaminedAgent {
  readonly agent: Agent;
  /** The agent's program; null if it was not found. */
  readonly installed: InstalledAgent | null;
  readonly files: readonly SettingsFile[];
  /** Our hooks of this agent's own events. */
  readonly hooks: readonly OwnHook[];
  readonly blockers: readonly Blocker[];
}

/** A settings file that an agent reads hooks from. */
export interface SettingsFile extends HooksFile {
  /** Why it cannot be used; null if it can. */
  readonly problem: SettingsProblem | string | null;
  /** Syntax that we can read but the agent cannot; null if there is none. */
  readonly foreign: SettingsProblem | null;
}

/** A hook that calls our program. */
export interface OwnHook extends Registration {
  readonly file: string;
  readonly scope: SettingsScope;
  readonly kind: "prompt" | "stop";
  readonly command: string;
}

export function placeOf({ file, line }: Pick<OwnHook, "file" | "line">): string {
  return `${file}:${line}`;
}

/** The agents that are there, or whose own settings call our program, or the one that was asked for. */
export async function examineAgents(place: SettingsPlace, only: AgentName | null): Promise<readonly ExaminedAgent[]> {
  const examined = await Promise.all(
    AGENTS.filter(({ name }) => only === null || name === only).map((agent) => examine(agent, place)),
  );
  return examined.filter(
    ({ agent, installed, hooks }) =>
      only !== null ||
      installed !== null ||
      existsSync(agent.homeFolder(place)) ||
      hooks.some(({ file }) => SCOPES.some((scope) => agent.settingsFile(scope, place) === file)),
  );
}

const SCOPES: readonly SettingsScope[] = ["user", "project"];

/** Whether a hook is registered for an agent that reads its file. Others may run it too: our program sees who calls. */
export function isInItsFile({ call, file }: Pick<OwnHook, "call" | "file">, place: SettingsPlace): boolean {
  const owner = AGENTS.find(({ name }) => name === call?.agent);
  if (owner === undefined) return false;
  return [...SCOPES.map((scope) => owner.settingsFile(scope, place)), ...owner.otherSettingsFiles(place)].includes(
    file,
  );
}

async function examine(agent: Agent, place: SettingsPlace): Promise<ExaminedAgent> {
  const files = readSettingsFiles(agent, place);
  const installed = await findInstalled(agent, place.env);
  return { agent, installed, files, hooks: ownHooks(agent, files), blockers: agent.blockers(place) };
}

function readSettingsFiles(agent: Agent, place: SettingsPlace): readonly SettingsFile[] {
  const files: readonly Pick<SettingsFile, "scope" | "path">[] = [
    { scope: "user", path: agent.settingsFile("user", place) },
    { scope: "project", path: agent.settingsFile("project", place) },
    ...agent.otherSettingsFiles(place).map((path) => ({ scope: "project", path }) as const),
  ];
  const present = files.filter(({ path }) => existsSync(path));
  const targets = present.map(({ path }) => realpathSync(path));
  return present
    .filter((_, index) => targets.indexOf(targets[index] ?? "") === index)
    .map((file) => ({ ...file, ...read(file.path, agent) }));
}

function read(path: string, agent: Agent): Pick<SettingsFile, "registrations" | "problem" | "foreign"> {
  try {
    const text = readFileSync(path, "utf8");
    const result = agent.hooksForm.read(text);
    if (!result.ok) return { registrations: [], problem: result.problem, foreign: null };
    const foreign = path.endsWith(".toml") ? null : findForeignSyntax(text, agent.settingsSyntax);
    return { registrations: result.registrations, problem: null, foreign };
  } catch (error) {
    return { registrations: [], problem: errorMessage(error), foreign: null };
  }
}

function ownHooks({ events }: Agent, files: readonly SettingsFile[]): readonly OwnHook[] {
  return files.flatMap(({ path, scope, registrations }) =>
    registrations.flatMap((registration) => {
      const { command, isOurs, event } = registration;
      const kind = events.find(({ name }) => name === event)?.kind;
      return isOurs && command !== null && kind !== undefined
        ? [{ ...registration, command, kind, file: path, scope }]
        : [];
    }),
  );
}
