import { existsSync } from "node:fs";
import { AGENTS, type AgentSettings, findInstalled, type SettingsPlace } from "@agent-checkpoint/agents";
import { findGitRoot } from "@agent-checkpoint/composer";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Surroundings } from "../surroundings.ts";
import type { AgentCase } from "./agents/agent-case.ts";
import { AGENT_CHECKS } from "./agents/agent-checks.ts";
import { ownHooks, readSettingsFiles } from "./agents/read-settings-files.ts";
import { sendCanaries } from "./canary/send-canaries.ts";
import { type CheckResult, runChecks } from "./check.ts";
import { fail, type Level } from "./finding.ts";
import { MACHINE_CHECKS } from "./machine/machine-checks.ts";
import type { Machine } from "./machine/machine.ts";
import { readStore } from "./machine/read-store.ts";
import { measureNodeStart } from "./measure-node-start.ts";
import { ownHookProgram } from "./own-hook-program.ts";

/** What is to be looked at. */
export interface DoctorRequest {
  /** Only this agent. */
  readonly agent: AgentName | null;
  /** Whether canaries are sent. */
  readonly canary: boolean;
}

/** What the doctor found. */
export interface DoctorReport {
  /** The worst level of all findings. */
  readonly verdict: Level;
  readonly counts: Readonly<Record<Level, number>>;
  readonly groups: readonly DoctorGroup[];
}

/** The checks of one agent, or of the machine. */
export interface DoctorGroup {
  /** The agent's name, or `machine`. */
  readonly id: string;
  readonly title: string;
  readonly checks: readonly CheckResult[];
}

/** Looks at everything that has to be right for a stop to be blocked. */
export async function runDoctor(surroundings: Surroundings, request: DoctorRequest): Promise<DoctorReport> {
  const { env, cwd, userHome, home, now } = surroundings;
  const root = findGitRoot(cwd) ?? cwd;
  const place: SettingsPlace = { env, userHome, projectRoot: root };
  const [store, examined] = await Promise.all([readStore(home, now()), examineAgents(place, request.agent)]);
  const machine: Machine = { env, cwd, userHome, home, now, root, nodeVersion: process.versions.node, store };
  const machineResults = runChecks(MACHINE_CHECKS, machine);

  const sent = request.canary ? await sendCanaries(examined, machine) : [];
  const nodeStartMs = sent.some(({ canaries }) => canaries.length > 0) ? await measureNodeStart() : null;
  const ownProgram = ownHookProgram();
  const isAnyRegistered = examined.some(({ hooks }) => hooks.length > 0);
  const groups = await Promise.all(
    examined.map(async (agent, index): Promise<DoctorGroup> => {
      const subject: AgentCase = {
        machine,
        place,
        ...agent,
        isWanted: request.agent !== null || !isAnyRegistered,
        ownProgram,
        canaries: [],
        canaryProblem: null,
        ...sent[index],
        nodeStartMs,
      };
      return { id: agent.settings.agent, title: agent.settings.title, checks: await runChecks(AGENT_CHECKS, subject) };
    }),
  );
  return toReport([
    ...(groups.length === 0 ? [NO_AGENT] : groups),
    { id: "machine", title: "This machine", checks: await machineResults },
  ]);
}

type Examined = Pick<AgentCase, "settings" | "installed" | "files" | "hooks" | "hindrances">;

/** The agents that are there, or whose settings call our program, or the one that was asked for. */
async function examineAgents(place: SettingsPlace, only: AgentName | null): Promise<readonly Examined[]> {
  const examined = await Promise.all(
    AGENTS.filter(({ agent }) => only === null || agent === only).map((settings) => examine(settings, place)),
  );
  return examined.filter(({ settings, installed, hooks }) => {
    return only !== null || installed !== null || hooks.length > 0 || existsSync(settings.homeFolder(place));
  });
}

async function examine(settings: AgentSettings, place: SettingsPlace): Promise<Examined> {
  const files = readSettingsFiles(settings, place);
  return {
    settings,
    installed: await findInstalled(settings, place.env),
    files,
    hooks: ownHooks(settings, files),
    hindrances: settings.hindrances(place),
  };
}

const NO_AGENT: DoctorGroup = {
  id: "agents",
  title: "Agents",
  checks: [
    {
      id: "present",
      title: "present",
      findings: [
        fail(
          "neither Claude Code nor Gemini CLI nor Codex was found",
          "Install one, or call the doctor with the PATH that has it.",
        ),
      ],
    },
  ],
};

const LEVELS: readonly Level[] = ["fail", "warn", "ok"];

function toReport(groups: readonly DoctorGroup[]): DoctorReport {
  const levels = groups.flatMap(({ checks }) => checks.flatMap(({ findings }) => findings.map(({ level }) => level)));
  const count = (level: Level) => levels.filter((one) => one === level).length;
  return {
    verdict: LEVELS.find((level) => levels.includes(level)) ?? "ok",
    counts: { ok: count("ok"), warn: count("warn"), fail: count("fail") },
    groups,
  };
}
