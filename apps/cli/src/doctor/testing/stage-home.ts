import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentOf, type SettingsScope, userCommand } from "@agent-checkpoint/agents";
import { openStore, type Stop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { runCheckpoint } from "../../testing/run-checkpoint.ts";
import type { Finding } from "../check.ts";
import type { DoctorReport } from "../run-doctor.ts";

/** The built program, as agents call it. */
export const PROGRAM: string = fileURLToPath(
  new URL("../../../../hook-receiver/dist/checkpoint-hook.cjs", import.meta.url),
);

/** What a hook is registered with; the rest is what `init` would write. */
export interface Registered {
  readonly scope?: SettingsScope;
  readonly command?: string;
  readonly timeout?: number | string;
  readonly name?: string;
  /** The kinds of event; both unless given. */
  readonly kinds?: readonly ("prompt" | "stop")[];
  /** How often each hook stands there. */
  readonly times?: number;
}

/** A person's home with agents, a project, and a store of its own; gone after the test. */
export interface StagedHome {
  readonly userHome: string;
  readonly home: string;
  readonly project: string;
  /** Where the machine's own settings are looked for. */
  readonly systemRoot: string;
  readonly env: Record<string, string>;
  /** Puts a program on the PATH. */
  readonly addProgram: (name: string, script: string) => string;
  readonly install: (agent: AgentName, version: string) => void;
  readonly write: (path: string, text: string) => void;
  /** Registers our hooks in an agent's settings, in place of what was there. */
  readonly register: (agent: AgentName, registered?: Registered, more?: object) => void;
  /** Says in Codex's own words that its hooks are trusted. */
  readonly trustCodexHooks: (registered?: Registered) => void;
  readonly record: (stop: Partial<Stop>) => Promise<void>;
  readonly doctor: (...args: string[]) => Promise<DoctorRun>;
  /** What `init --managed` prints for an agent. */
  readonly managed: (agent: AgentName) => Promise<string>;
}

/** What the doctor said. */
export interface DoctorRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly report: DoctorReport;
  /** What one check of a group found. */
  readonly found: (group: string, check: string) => readonly Finding[];
}

const TOOLS = ["git", "sh", "bash", "sleep", "yes", "cat", "ps"] as const;

/** Lays a home out without any agent. */
export async function stageHome(): Promise<StagedHome> {
  if (!existsSync(PROGRAM)) throw new Error("build first: npm run build");
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [userHome, project, bin, temporary] = ["user", "project", "bin", "tmp"].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string, string];
  for (const tool of TOOLS) linkTool(tool, bin);
  await execa("git", ["init", "--quiet"], { cwd: project });
  const home = join(userHome, "store");
  const env = { PATH: bin, HOME: userHome, CHECKPOINT_HOME: home, TMPDIR: temporary };
  const systemRoot = join(folder, "system");
  const place = { env, userHome, projectRoot: project };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const addProgram = (name: string, script: string) => {
    write(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
    return join(bin, name);
  };
  const given = { cwd: project, userHome, home, env, systemRoot };
  return {
    userHome,
    home,
    project,
    systemRoot,
    env,
    addProgram,
    install: (agent, version) => void addProgram(agentOf(agent).program, `echo "${version}"`),
    write,
    register: (agent, registered = {}, more = {}) => {
      const { hooks } = hooksOf(agent, registered);
      const file = agentOf(agent).settingsFile(registered.scope ?? "user", place);
      write(file, JSON.stringify({ ...more, hooks }, null, 2));
    },
    trustCodexHooks: (registered = {}) => {
      const file = agentOf("codex").settingsFile(registered.scope ?? "user", place);
      write(join(userHome, ".codex", "config.toml"), trustLines(file, hooksOf("codex", registered).definition));
    },
    record: async (stop) => {
      const opened = await openStore(home);
      if (!opened.ok) throw new Error(opened.detail);
      await opened.store.stops.record({ ...A_STOP, at: new Date(), ...stop });
      await opened.store.close();
    },
    managed: async (agent) => (await runCheckpoint(["init", "--managed", "--agent", agent], given)).stdout,
    doctor: async (...args) => {
      const { exitCode, stdout, stderr } = await runCheckpoint(["doctor", "--json", ...args], given);
      if (stderr !== "") throw new Error(stderr);
      const report = JSON.parse(stdout) as DoctorReport;
      const found = (group: string, check: string) =>
        report.groups.find(({ id }) => id === group)?.checks.find(({ id }) => id === check)?.findings ?? [];
      return { exitCode, stdout, report, found };
    },
  };
}

/** The command that `init` would register. */
export function commandFor(agent: AgentName, program: string = PROGRAM): string {
  return userCommand({ node: process.execPath, program }, `--agent ${agent}`);
}

interface Definition {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number | string;
}

function hooksOf(agent: AgentName, registered: Registered) {
  const { events, timeout } = agentOf(agent);
  const { command = commandFor(agent), name, kinds = ["prompt", "stop"], times = 1 } = registered;
  const definition: Definition = { type: "command", command, timeout: registered.timeout ?? timeout.value };
  const hook = name === undefined ? definition : { name, ...definition };
  const group = { hooks: Array.from({ length: times }, () => hook) };
  const wanted = events.filter(({ kind }) => kinds.includes(kind));
  return { definition, hooks: Object.fromEntries(wanted.map((event) => [event.name, [group]])) };
}

function trustLines(file: string, { command, timeout, type }: Definition): string {
  return ["stop", "user_prompt_submit"]
    .map((event_name) => {
      const text = JSON.stringify({ event_name, hooks: [{ async: false, command, timeout, type }] });
      const hash = createHash("sha256").update(text).digest("hex");
      return `[hooks.state."${file}:${event_name}:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
    })
    .join("");
}

function linkTool(tool: string, bin: string): void {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const path = folders.map((folder) => join(folder, tool)).find((candidate) => existsSync(candidate));
  if (path !== undefined) symlinkSync(path, join(bin, tool));
}

const A_STOP: Omit<Stop, "at"> = {
  agent: "claude",
  sessionId: "s-1",
  projectPath: "/project",
  turn: "t-1",
  decision: "pass",
  reason: "timer",
  actions: [],
  observations: [],
  durationMs: 12,
};
