import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether a config so much as mentions the gate; a project without one is told so by two small reads and nothing else. */
export function asksForGate(root: string, home: string): boolean {
  return [join(root, "checkpoint.config.json"), join(home, "config.json")].some((path) => {
    try {
      // What is no plain file is left to the reader of the rules, who knows which links lead out and what would not end.
      return !lstatSync(path).isFile() || readFileSync(path, "utf8").includes("gate");
    } catch {
      return false;
    }
  });
}

/** The work tree that a folder lies in, else the folder. */
export function projectRoot(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return folder;
  }
}
