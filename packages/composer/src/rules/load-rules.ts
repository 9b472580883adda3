import { join } from "node:path";
import {
  type ConfigProblem,
  type NamedConfig,
  parseConfig,
  resolveRules,
  type Rules,
} from "@agent-checkpoint/categories";
import { CONFIG_FILE, PERSONAL_FILE } from "./config-files.ts";
import { detectPreset } from "./detect-preset.ts";
import { readOwnFile, readProjectFile, type SmallFile } from "./read-small-file.ts";

/** The rules in force and the config file they came from, or what is wrong with a config. */
export type LoadedRules =
  | { readonly ok: true; readonly rules: Rules; readonly configFile: string | null }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[]; readonly configFile: string | null };

/** Loads the rules of a repository: the preset, under the personal config, under the repository's own. */
export function loadRules(root: string, home: string | null): LoadedRules {
  const personal = home === null ? null : parseFile(readOwnFile(join(home, PERSONAL_FILE)), join(home, PERSONAL_FILE));
  const own = parseFile(readProjectFile(root, CONFIG_FILE), CONFIG_FILE);
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
function parseFile(file: SmallFile, name: string): ReadConfig | null {
  if (file.status === "missing") return null;
  if (file.status === "refused")
    return { ok: false, problems: [{ file: name, key: "", expected: "a readable file", found: file.found }] };
  const parsed = parseConfig(file.text, name);
  return parsed.ok ? { ok: true, named: { file: name, config: parsed.config } } : parsed;
}
