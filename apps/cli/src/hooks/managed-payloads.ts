import { dirname, isAbsolute } from "node:path";
import {
  type Agent,
  AGENTS,
  type Platform,
  type ProgramPaths,
  userCommand,
  wantedHooks,
} from "@agent-checkpoint/agents";
import type { AgentName } from "@agent-checkpoint/transcript";
import { refused } from "../cli-error.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { ownHookPaths } from "./hook-commands.ts";

/** What an organization puts into an agent's managed settings, so that everybody gets our hooks. */
export interface ManagedPayload {
  readonly agent: AgentName;
  readonly title: string;
  /** Its file on each platform; null if only the agent's documentation says where it is. */
  readonly files: Readonly<Record<Platform, string>> | null;
  readonly payload: string;
  readonly otherWays: readonly string[];
  readonly knownFrom: string;
}

/** The payloads, and the agents without managed settings that we know of. */
export interface ManagedPayloads {
  /** The program that the hooks call, which has to be at this path on every machine. */
  readonly program: string;
  readonly payloads: readonly ManagedPayload[];
  readonly without: readonly AgentName[];
}

export function managedPayloads({
  agents,
  program,
  env,
}: {
  readonly agents: readonly AgentName[];
  /** The executable on the machines; this installation's program by default. */
  readonly program: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}): ManagedPayloads {
  if (program !== null && !isAbsolute(program)) throw refused("--program needs an absolute path");
  const paths = program === null ? ownHookPaths(env) : { node: null, program };
  const wanted = AGENTS.filter(({ name }) => agents.length === 0 || agents.includes(name));
  return {
    program: paths.program,
    payloads: wanted.flatMap((agent) => payloadOf(agent, paths)),
    without: wanted.filter(({ managed }) => managed === null).map(({ name }) => name),
  };
}

function payloadOf(agent: Agent, paths: ProgramPaths): readonly ManagedPayload[] {
  const { name, title, managed } = agent;
  if (managed === null) return [];
  const hooks = wantedHooks(agent, { command: (args) => userCommand(paths, args), version: null });
  const { file, otherWays, payload, knownFrom } = managed;
  const text = payload(hooks, dirname(paths.program));
  return [{ agent: name, title, files: file, payload: text, otherWays, knownFrom }];
}

const PLATFORMS: Readonly<Record<Platform, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

export function renderManaged({ program, payloads, without }: ManagedPayloads, style: Style): string {
  const parts = payloads.map(({ title, files, payload, otherWays, knownFrom }) => {
    const places = Object.entries(files ?? {}).map(([platform, file]) => `${PLATFORMS[platform as Platform]}: ${file}`);
    const notes = [...places, ...otherWays, `Known from ${knownFrom}`].map((line) => style.dim(`# ${line}`));
    return [style.bold(`# ${title}`), ...notes, visibleLines(payload)].join("\n");
  });
  const ending = [
    `# Nothing was written. ${visible(program)} has to be there on every machine; where it is not, every stop passes.`,
    ...(without.length === 0 ? [] : [`# No managed channel that we know of: ${without.join(", ")}.`]),
  ];
  return `${[...parts, ending.join("\n")].join("\n")}\n`;
}

function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
