import { readFileSync } from "node:fs";
import type { Candidate } from "../candidate.ts";
import { expectAnswer } from "./expect-answer.ts";
import { runCommand } from "./run-command.ts";

/** Whether this system reports the peak memory of a running process. */
export function canTakePeak(): boolean {
  return process.platform === "linux";
}

/**
 * The most memory, in MB, that one process of a call has held: the program's or that of a program it started.
 * The kernel's own high-water mark is read again and again until the end, so only what a process takes in its last
 * moment can be missed.
 */
export async function takePeak({ id, answer, next }: Candidate): Promise<number> {
  const { before = [], blocked = [], measured } = next();
  for (const command of before) expectAnswer(`${id}, before`, "nothing", await runCommand(command));
  for (const command of blocked) expectAnswer(`${id}, before`, "block", await runCommand(command));
  let peak = 0;
  for (const command of measured) {
    const ran = await runCommand(command, (child) => {
      let isRunning = true;
      child.on("exit", () => (isRunning = false));
      const look = (): void => {
        if (!isRunning || child.pid === undefined) return;
        peak = Math.max(peak, peakOfTree(child.pid));
        setImmediate(look);
      };
      look();
    });
    expectAnswer(id, answer, ran);
  }
  return peak / 1024;
}

function peakOfTree(pid: number): number {
  const own = Number(/^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return Math.max(own, ...children.map(peakOfTree));
}

/** A process may be gone before it is checked. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
