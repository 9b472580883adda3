import { lstatSync } from "node:fs";
import { join } from "node:path";
import { GENERIC, TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import { CONFIG_FILE, PERSONAL_FILE } from "./config-files.ts";
import { detectPreset } from "./detect-preset.ts";
import type { LoadedRules } from "./load-rules.ts";

/** The rules of a repository; what reads a config is loaded only where there is one. */
export async function findRules(root: string, home: string | null): Promise<LoadedRules> {
  if (isMissing(join(root, CONFIG_FILE)) && (home === null || isMissing(join(home, PERSONAL_FILE))))
    return { ok: true, rules: detectPreset(root) === "teleclaude" ? TELECLAUDE : GENERIC, configFile: null };
  const { loadRules } = await import("./load-rules.ts");
  return loadRules(root, home);
}

/** Whatever else is wrong with it is for the reader to say. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
