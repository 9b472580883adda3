import { GENERIC, TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import type { LoadedRules } from "./load-rules.ts";
import { readConfigs } from "./read-configs.ts";

/** The rules of a repository; what makes them of a config is loaded only if there is one. */
export async function findRules(root: string, home: string | null): Promise<LoadedRules> {
  const configs = readConfigs(root, home);
  const { preset, files, configFile } = configs;
  if (files.length === 0) return { ok: true, rules: preset === "teleclaude" ? TELECLAUDE : GENERIC, configFile };
  const { makeRules } = await import("./load-rules.ts");
  return makeRules(configs);
}
