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
  writeFileSync(
    preload,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)));`,
  );
  return {
    env: IS_BINARY_TESTED ? { BUN_OPTIONS: `--preload ${preload}` } : { NODE_OPTIONS: `--require ${preload}` },
    megabytes: () => Number(readFileSync(result, "utf8")) / 1024,
  };
}
