import { AGENTS, type SettingsPlace } from "@agent-checkpoint/agents";
import { findGitRoot } from "@agent-checkpoint/git";
import type { AgentName } from "@agent-checkpoint/transcript";
import { ownHookPrograms } from "../hooks/hook-commands.ts";
import type { Environment } from "../environment.ts";
import { withStatus } from "../terminal/progress.ts";
import { type AgentCase, examineAgents } from "./agent-case.ts";
import { AGENT_CHECKS } from "./agent-checks.ts";
import { measureNodeStart, sendCanaries } from "./send-canaries.ts";
import { type CheckResult, fail, type Level, runChecks } from "./check.ts";
import { type Machine, MACHINE_CHECKS } from "./machine-checks.ts";
import { readStore } from "./store-checks.ts";

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
export async function runDoctor(environment: Environment, request: DoctorRequest): Promise<DoctorReport> {
  const { env, cwd, userHome, home, now } = environment;
  const root = findGitRoot(cwd) ?? cwd;
  const place: SettingsPlace = { env, userHome, projectRoot: root };
  const [store, examined] = await withStatus("Looking at the agents and their settings", environment, () =>
    Promise.all([readStore(home, now()), examineAgents(place, request.agent)]),
  );
  const machine: Machine = { env, cwd, userHome, home, now, root, nodeVersion: process.versions.node, store };
  const machineResults = runChecks(MACHINE_CHECKS, machine);

  const sent = request.canary
    ? await withStatus("Sending test stops through the registered commands", environment, () =>
        sendCanaries(examined, machine),
      )
    : [];
  const nodeStartMs = sent.some(({ canaries }) => canaries.length > 0) ? await measureNodeStart() : null;
  const ownPrograms = ownHookPrograms().map(({ program }) => program);
  const isAnyRegistered = examined.some(({ hooks }) => hooks.length > 0);
  const groups = await Promise.all(
    examined.map(async (one, index): Promise<DoctorGroup> => {
      const subject: AgentCase = {
        machine,
        place,
        ...one,
        isWanted: request.agent !== null || !isAnyRegistered,
        ownPrograms,
        canaries: [],
        canaryProblem: null,
        ...sent[index],
        nodeStartMs,
      };
      return { id: one.agent.name, title: one.agent.title, checks: await runChecks(AGENT_CHECKS, subject) };
    }),
  );
  return toReport([
    ...(groups.length === 0 ? [NO_AGENT] : groups),
    { id: "machine", title: "This machine", checks: await machineResults },
  ]);
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
          `neither ${AGENTS.map(({ title }) => title).join(" nor ")} was found`,
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
