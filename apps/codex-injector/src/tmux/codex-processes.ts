import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { recogniseTranscript } from "@agent-checkpoint/transcript";
import type { PaneFacts } from "./judge-pane.ts";

/** A process, with the fields that show who has a terminal. */
export interface Process {
  readonly pid: number;
  readonly name: string;
  readonly group: number;
  /** The group that has the process's terminal; -1 for a process without one. */
  readonly terminalGroup: number;
}

/** Lists the processes of the machine; null if the system has no /proc. */
export async function readProcesses(folder = "/proc"): Promise<readonly Process[] | null> {
  const names = await readdir(folder).catch(() => null);
  const pids = names?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (pids.length === 0) return null;
  const read = pids.map(async (pid) => parseStat(await readFile(`${folder}/${pid}/stat`, "utf8").catch(() => "")));
  return (await Promise.all(read)).filter((process) => process !== null);
}

/** `pid (name) state parent group session terminal terminalGroup …`; a name may hold blanks and brackets. */
function parseStat(stat: string): Process | null {
  const [, pid, name, rest] = /^(\d+) \((.*)\) (.*)/s.exec(stat) ?? [];
  if (name === undefined || rest === undefined) return null;
  const [, , group, , , terminalGroup] = rest.split(" ");
  return { pid: Number(pid), name, group: Number(group), terminalGroup: Number(terminalGroup) };
}

/**
 * The processes that have the terminal of a pane, given the pane's first process.
 * A stopped program is not among them, and Codex's daemon, though started by a screen, has no terminal at all.
 */
export function foregroundOf(processes: readonly Process[], panePid: number): readonly Process[] {
  const terminalGroup = processes.find(({ pid }) => pid === panePid)?.terminalGroup ?? -1;
  return terminalGroup <= 0 ? [] : processes.filter(({ group }) => group === terminalGroup);
}

/** Whether Codex has a terminal: known from its processes, or guessed from tmux's name for the program. */
export function isCodexProgram({ foreground, command }: Pick<PaneFacts, "foreground" | "command">): boolean {
  return foreground ? foreground.some(isCodexName) : isCodexName(command) || command === NPM_START;
}

/** Whether a process is Codex itself; the binary's name may end in its platform. */
export function isCodexName(name: string): boolean {
  return /^codex(-|$)/.test(name);
}

/** Installed with npm, Codex is started by a script. */
const NPM_START = "node";

/** Lists the rollouts of user threads that processes hold open; those of their sub-agents are left out. */
export async function readOpenRollouts(pids: readonly number[], folder = "/proc"): Promise<readonly string[]> {
  const open = await Promise.all(pids.map((pid) => openFiles(`${folder}/${pid}/fd`)));
  const rollouts = [...new Set(open.flat())].filter((path) => ROLLOUT.test(basename(path)));
  return rollouts.filter((path) => !isSubAgentRollout(path));
}

/** A file that does not name the owner of its thread counts as a user's. */
function isSubAgentRollout(path: string): boolean {
  const recognised = recogniseTranscript(path);
  return recognised.status === "read" && recognised.isSubAgent;
}

const ROLLOUT = /^rollout-.*\.jsonl$/;

/** A process that has ended, or is another user's, has none. */
async function openFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
}
