import { readdir, readFile } from "node:fs/promises";

/** A process, as far as it says who has a terminal. */
export interface Process {
  readonly pid: number;
  readonly name: string;
  readonly group: number;
  /** The group that has the process's terminal; -1 for a process without one. */
  readonly terminalGroup: number;
}

/** Lists the processes of the machine; null where the system has no /proc. */
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
