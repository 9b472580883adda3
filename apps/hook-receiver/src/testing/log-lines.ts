import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines of a home's log; none where there is no log. */
export function logLines(home: string): readonly string[] {
  const log = join(home, "checkpoint.log");
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
}
