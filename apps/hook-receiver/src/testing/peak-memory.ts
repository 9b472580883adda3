import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IS_BINARY_TESTED } from "./hook-process.ts";
import { scratchFolder } from "./scratch.ts";

/** Has the program tell how much memory it took at its peak. */
export interface PeakMemory {
  readonly env: Readonly<Record<string, string>>;
  /** In megabytes, once the process has ended. */
  readonly megabytes: () => number;
}

/** The means to measure one process; its children do not count. */
export function measurePeakMemory(): PeakMemory {
  const folder = scratchFolder();
  const [preload, result] = [join(folder, "preload.cjs"), join(folder, "kilobytes")];
  // The executable ends as another program, so no event tells of its end.
  writeFileSync(
    preload,
    `const tell = () => require("fs").writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS));
     const { execve } = process;
     process.execve = (...words) => { tell(); execve(...words); };
     process.on("exit", tell);`,
  );
  return {
    env: IS_BINARY_TESTED ? { BUN_OPTIONS: `--preload ${preload}` } : { NODE_OPTIONS: `--require ${preload}` },
    megabytes: () => Number(readFileSync(result, "utf8")) / 1024,
  };
}
