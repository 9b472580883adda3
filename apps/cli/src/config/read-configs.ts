import { join } from "node:path";
import { type ConfigProblem, type NamedConfig, parseConfig } from "@agent-checkpoint/categories";
import { CONFIG_FILE } from "@agent-checkpoint/composer";
import { readConfigText } from "./read-config-text.ts";

/** A config file that was looked for, and what is in it. */
export interface ConfigSource {
  /** What it is called in messages. */
  readonly file: string;
  readonly path: string;
  /** Null where there is no such file, or it cannot be used. */
  readonly named: NamedConfig | null;
  readonly exists: boolean;
  readonly problems: readonly ConfigProblem[];
}

/** The personal config and the repository's, in the order in which they are laid over the preset. */
export function readConfigs(root: string, home: string): readonly ConfigSource[] {
  const personal = join(home, "config.json");
  return [readConfig(personal, personal), readConfig(join(root, CONFIG_FILE), CONFIG_FILE)];
}

/** Reads one config file under a name. */
export function readConfig(path: string, file: string): ConfigSource {
  const read = readConfigText(path);
  if (read.status === "missing") return { file, path, named: null, exists: false, problems: [] };
  if (read.status === "unreadable") {
    const problem = { file, key: "", expected: "a readable file", found: read.code };
    return { file, path, named: null, exists: true, problems: [problem] };
  }
  const parsed = parseConfig(read.text, file);
  return parsed.ok
    ? { file, path, named: { file, config: parsed.config }, exists: true, problems: [] }
    : { file, path, named: null, exists: true, problems: parsed.problems };
}
