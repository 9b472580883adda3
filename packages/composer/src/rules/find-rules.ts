import { GENERIC, TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import type { KeptRules } from "./kept-rules.ts";
import type { LoadedRules } from "./load-rules.ts";
import { type Configs, readConfigs } from "./read-configs.ts";

/**
 * The rules of a repository.
 * What makes them of a config is loaded only where there is one, and nobody has kept what it comes to.
 */
export async function findRules(root: string, home: string | null, kept?: KeptRules): Promise<LoadedRules> {
  const configs = readConfigs(root, home);
  const { preset, files, configFile } = configs;
  if (files.length === 0) return { ok: true, rules: preset === "teleclaude" ? TELECLAUDE : GENERIC, configFile };
  const texts = kept === undefined ? null : textsOf(configs);
  const known = texts === null ? null : kept?.find(texts);
  if (known != null) return { ok: true, rules: known, configFile };
  const { makeRules } = await import("./load-rules.ts");
  const loaded = makeRules(configs);
  if (loaded.ok && texts !== null) kept?.keep(texts, loaded.rules);
  return loaded;
}

/** All that rules are made of; null where a config cannot be read. */
function textsOf({ preset, files }: Configs): readonly string[] | null {
  const texts = files.flatMap(({ file }) => (file.status === "read" ? [file.text] : []));
  return texts.length < files.length ? null : [preset, ...texts];
}
