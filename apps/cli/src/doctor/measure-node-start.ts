import { execa } from "execa";
import { median } from "./median.ts";

const RUNS = 3;

/** How many milliseconds a Node takes that does nothing. */
export async function measureNodeStart(): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await execa(process.execPath, ["-e", "0"], { stdin: "ignore", timeout: 10_000 });
    durations.push(performance.now() - startedAt);
  }
  return median(durations);
}
