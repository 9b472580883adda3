import { readFileSync } from "node:fs";

/** What the system reports about a running process. */
export interface RunningProcess {
  readonly parent: number;
  /** Its arguments. */
  readonly argv: readonly string[];
}

/** What the system reports about a process, in a file or through `ps`; null if nothing. */
export function readProcess(pid: number): RunningProcess | null {
  try {
    // The name of a program may hold blanks and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return { parent, argv: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1) };
  } catch {
    // Without such files, `ps` knows.
    return process.platform === "linux" ? null : askPs(pid);
  }
}

/** The same through `ps`, which does not show where an argument with a blank ends. */
export function askPs(pid: number): RunningProcess | null {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const args = ["-ww", "-o", "ppid=,args=", "-p", String(pid)];
  const { stdout } = spawnSync("/bin/ps", args, { encoding: "utf8", timeout: 2000, windowsHide: true });
  const [, parent, words] = /^\s*(\d+)\s+(\S.*)/.exec(stdout ?? "") ?? [];
  return words === undefined ? null : { parent: Number(parent), argv: words.trim().split(/\s+/) };
}
