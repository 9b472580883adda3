import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { PresetName } from "@agent-checkpoint/categories";
import { CONFIG_FILE, PERSONAL_FILE } from "./config-files.ts";
import { detectPreset } from "./detect-preset.ts";
import { readOwnFile, readProjectFile, type SmallFile } from "./read-small-file.ts";

/** What the rules of a repository are made of. */
export interface Configs {
  /** The preset where no config names one. */
  readonly preset: PresetName;
  /** The configs that there are, each to lie over the one before it. */
  readonly files: readonly ConfigFile[];
  /** The repository's own one; null where it has none. */
  readonly configFile: string | null;
}

/** A config as it was read, by the name that a person knows it by. */
export interface ConfigFile {
  readonly name: string;
  readonly file: Exclude<SmallFile, { readonly status: "missing" }>;
}

/** Reads the configs of a repository: a person's, and its own. */
export function readConfigs(root: string, home: string | null): Configs {
  const personal = home === null ? null : join(home, PERSONAL_FILE);
  const files = [
    ...(personal === null || isMissing(personal) ? [] : named(personal, readOwnFile(personal))),
    ...(isMissing(join(root, CONFIG_FILE)) ? [] : named(CONFIG_FILE, readProjectFile(root, CONFIG_FILE))),
  ];
  const hasOwn = files.some(({ name }) => name === CONFIG_FILE);
  return { preset: detectPreset(root), files, configFile: hasOwn ? CONFIG_FILE : null };
}

/** Asked first, since a file that is not there costs an error; whatever else is wrong with it is for the reader to say. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function named(name: string, file: SmallFile): readonly ConfigFile[] {
  return file.status === "missing" ? [] : [{ name, file }];
}
