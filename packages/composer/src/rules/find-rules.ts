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
  const text = kept === undefined ? null : inOneText(configs);
  const known = text === null ? null : kept?.find(text);
  if (known != null) return { ok: true, rules: known, configFile };
  const { makeRules } = await import("./load-rules.ts");
  const loaded = makeRules(configs);
  if (loaded.ok && text !== null) kept?.keep(text, loaded.rules);
  return loaded;
}

/** All that rules are made of; null where a config cannot be read. */
function inOneText({ preset, files }: Configs): string | null {
  const texts = files.map(({ file }) => (file.status === "read" ? file.text : null));
  return texts.includes(null) ? null : JSON.stringify([preset, ...texts]);
}
