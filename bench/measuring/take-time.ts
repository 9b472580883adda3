import type { Candidate } from "../candidate.ts";
import { cpuOfChildren } from "./cpu-of-children.ts";
import { expectAnswer } from "./expect-answer.ts";
import { runCommand } from "./run-command.ts";

/** How long one call took, in milliseconds. */
export interface Took {
  readonly ms: number;
  /** The time of all processors that worked for it; null if the system does not tell. */
  readonly cpuMs: number | null;
}

/** How long one call of a candidate takes; a call with another answer than expected is an error. */
export async function takeTime({ id, answer, next }: Candidate): Promise<Took> {
  const { before = [], blocked = [], measured } = next();
  for (const command of before) expectAnswer(`${id}, before`, "nothing", await runCommand(command));
  for (const command of blocked) expectAnswer(`${id}, before`, "block", await runCommand(command));
  const cpuBefore = cpuOfChildren();
  const start = process.hrtime.bigint();
  const results = await Promise.all(measured.map((command) => runCommand(command)));
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const cpuAfter = cpuOfChildren();
  for (const result of results) expectAnswer(id, answer, result);
  return { ms, cpuMs: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore };
}
