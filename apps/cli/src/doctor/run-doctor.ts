import { AGENTS } from "@agent-checkpoint/agents";
import { findGitRoot } from "@agent-checkpoint/git";
import type { AgentName } from "@agent-checkpoint/transcript";
import stringWidth from "string-width";
import type { Environment } from "../environment.ts";
import { ownHookPrograms } from "../hooks/hook-commands.ts";
import { withStatus } from "../terminal/progress.ts";
import { AGENT_CHECKS } from "./agent-checks.ts";
import { type CheckResult, fail, type Level, runChecks } from "./check.ts";
import { examineAgents } from "./examine-agents.ts";
import { type Machine, MACHINE_CHECKS } from "./machine-checks.ts";
import { measureNodeStart, sendCanaries } from "./send-canaries.ts";
import { readStore } from "./store-checks.ts";
import { counted } from "../terminal/layout.ts";
import { createPage, type PageTerminal } from "../terminal/page.ts";

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

/** Checks everything that a blocked stop depends on; sends canaries only if they are wanted. */
export async function runDoctor(
  environment: Environment,
  { agent: only, canary }: { readonly agent: AgentName | null; readonly canary: boolean },
): Promise<DoctorReport> {
  const { env, cwd, userHome, home, now, systemRoot } = environment;
  const place = { env, userHome, projectRoot: findGitRoot(cwd) ?? cwd, systemRoot };
  const [store, examined] = await withStatus("Looking at the agents and their settings", environment, () =>
    Promise.all([readStore(home, now(), place.projectRoot), examineAgents(place, only)]),
  );
  const machine: Machine = { ...place, home, now, store };
  const machineChecks = runChecks(MACHINE_CHECKS, machine);
  const { sent, problem } = canary
    ? await withStatus("Sending test stops through the registered commands", environment, () =>
        sendCanaries(examined, machine),
      )
    : { sent: [], problem: null };
  const isAnyRegistered = examined.some(({ hooks }) => hooks.length > 0);
  const shared = {
    machine,
    isWanted: only !== null || !isAnyRegistered,
    ownPrograms: ownHookPrograms().map(({ program }) => program),
    nodeStartMs: sent.length > 0 ? await measureNodeStart() : null,
    canaryProblem: problem,
  };
  const groups = await Promise.all(
    examined.map(async (one): Promise<DoctorGroup> => {
      const canaries = sent.filter(({ agent }) => agent === one.agent);
      const checks = await runChecks(AGENT_CHECKS, { ...shared, ...one, canaries });
      return { id: one.agent.name, title: one.agent.title, checks };
    }),
  );
  return toReport([
    ...(groups.length === 0 ? [NO_AGENT] : groups),
    { id: "machine", title: "This machine", checks: await machineChecks },
  ]);
}

const MISSING = fail(
  `neither ${AGENTS.map(({ title }) => title).join(" nor ")} was found`,
  "Install one, or run doctor with a PATH that contains it.",
);

const NO_AGENT: DoctorGroup = {
  id: "agents",
  title: "Agents",
  checks: [{ id: "present", title: "present", findings: [MISSING] }],
};

function toReport(groups: readonly DoctorGroup[]): DoctorReport {
  const findings = groups.flatMap(({ checks }) => checks.flatMap((check) => check.findings));
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail") };
  return { verdict: counts.fail > 0 ? "fail" : counts.warn > 0 ? "warn" : "ok", counts, groups };
}

const MARKS = { ok: "good", warn: "warn", fail: "bad" } as const;

/** The report for people: grouped, one line per finding with its fix below it, and the verdict last. */
export function renderReport({ groups, counts, verdict }: DoctorReport, terminal: PageTerminal): string {
  const page = createPage(terminal);
  const width = Math.max(...groups.flatMap(({ checks }) => checks.map(({ title }) => stringWidth(title))));
  const sections = groups.map(({ title: group, checks }) => {
    const lines = checks.flatMap(({ title, findings }) =>
      findings.map(({ level, what, fix }, index) => {
        const label = `${(index === 0 ? title : "").padEnd(width)}  `;
        const advice = fix === null ? "" : page.line("more", fix, `${" ".repeat(label.length)}${page.marks.step} `);
        return page.line(MARKS[level], what, label) + advice;
      }),
    );
    return page.heading(group) + lines.join("");
  });
  const warnings = counted(counts.warn, "warning");
  const said = {
    ok: terminal.style.good("Everything is in order."),
    warn: terminal.style.warn(`No fault, ${warnings}.`),
    fail: terminal.style.bad(`${counted(counts.fail, "fault")}, ${warnings}.`),
  };
  return `${[...sections, said[verdict]].join("\n")}\n`;
}
