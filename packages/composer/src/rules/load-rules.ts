import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConfigProblem,
  type NamedConfig,
  parseConfig,
  resolveRules,
  type Rules,
} from "@agent-checkpoint/categories";
import { detectPreset } from "./detect-preset.ts";

/** The name of a repository's config file, at its root. */
export const CONFIG_FILE = "checkpoint.config.json";

/** The rules in force and the config file they came from, or what is wrong with a config. */
export type LoadedRules =
  | { readonly ok: true; readonly rules: Rules; readonly configFile: string | null }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[]; readonly configFile: string | null };

/** Loads the rules of a repository: the preset, under the personal config, under the repository's own. */
export function loadRules(root: string, home: string | null): LoadedRules {
  const personal = home === null ? null : readConfig(join(home, "config.json"), join(home, "config.json"));
  const own = readConfig(join(root, CONFIG_FILE), CONFIG_FILE);
  const configFile = own === null ? null : CONFIG_FILE;
  const found = [personal, own].filter((result) => result !== null);
  const problems = found.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) return { ok: false, problems, configFile };
  const configs = found.flatMap((result) => (result.ok ? [result.named] : []));
  const resolved = resolveRules(detectPreset(root), configs);
  return resolved.ok
    ? { ok: true, rules: resolved.rules, configFile }
    : { ok: false, problems: resolved.problems, configFile };
}

type ReadConfig =
  | { readonly ok: true; readonly named: NamedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Null where there is no such file. */
function readConfig(path: string, name: string): ReadConfig | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return { ok: false, problems: [{ file: name, key: "", expected: "a readable file", found: code }] };
  }
  const parsed = parseConfig(text, name);
  return parsed.ok ? { ok: true, named: { file: name, config: parsed.config } } : parsed;
}
