import {
  type ConfigProblem,
  type NamedConfig,
  parseConfig,
  resolveRules,
  type Rules,
} from "@agent-checkpoint/categories";
import { type ConfigFile, type Configs, readConfigs } from "./read-configs.ts";

/** The rules in force and the config file they came from, or what is wrong with a config. */
export type LoadedRules =
  | { readonly ok: true; readonly rules: Rules; readonly configFile: string | null }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[]; readonly configFile: string | null };

/** Loads the rules of a repository: the preset, under the personal config, under the repository's own. */
export function loadRules(root: string, home: string | null): LoadedRules {
  return makeRules(readConfigs(root, home));
}

export function makeRules({ preset, files, configFile }: Configs): LoadedRules {
  const found = files.map(parseFile);
  const problems = found.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) return { ok: false, problems, configFile };
  const configs = found.flatMap((result) => (result.ok ? [result.named] : []));
  const resolved = resolveRules(preset, configs);
  return resolved.ok
    ? { ok: true, rules: resolved.rules, configFile }
    : { ok: false, problems: resolved.problems, configFile };
}

type ParsedFile =
  | { readonly ok: true; readonly named: NamedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

function parseFile({ name, file }: ConfigFile): ParsedFile {
  if (file.status === "refused")
    return { ok: false, problems: [{ file: name, key: "", expected: "a readable file", found: file.found }] };
  const parsed = parseConfig(file.text, name);
  return parsed.ok ? { ok: true, named: { file: name, config: parsed.config } } : parsed;
}
