import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { PresetName } from "@agent-checkpoint/categories";
import { type FileText, readOwnFile, readProjectFile } from "./read-project-file.ts";

/** The name of a repository's config file, at its root. */
export const CONFIG_FILE = "checkpoint.config.json";

/** The name of a person's config file, in the home of the store. */
const PERSONAL_FILE = "config.json";

/** What the rules of a repository are made of. */
export interface Configs {
  /** The preset, if no config names one. */
  readonly preset: PresetName;
  /** The configs that there are, each to lie over the one before it. */
  readonly files: readonly ConfigFile[];
  /** The repository's own config; null if it has none. */
  readonly configFile: string | null;
}

/** A config as it was read, by the name that a person knows it by. */
export interface ConfigFile {
  readonly name: string;
  readonly file: Exclude<FileText, { readonly status: "missing" }>;
}

/** Reads the configs of a repository: a person's, and its own. */
export function readConfigs(root: string, home: string | null): Configs {
  const personal = home === null ? null : join(home, PERSONAL_FILE);
  const own = named(CONFIG_FILE, readProjectFile(root, CONFIG_FILE));
  const files = [...(personal === null ? [] : named(personal, readOwnFile(personal))), ...own];
  return { preset: detectPreset(root), files, configFile: own.length > 0 ? CONFIG_FILE : null };
}

function named(name: string, file: FileText): readonly ConfigFile[] {
  return file.status === "missing" ? [] : [{ name, file }];
}

/** The preset of a repository without a config: `teleclaude` if the root has a folder of that name with Python in it. */
export function detectPreset(root: string): "teleclaude" | "generic" {
  return hasPython(join(root, "teleclaude"), 1) ? "teleclaude" : "generic";
}

function hasPython(folder: string, depth: number): boolean {
  const entries = entriesOf(folder);
  if (entries.some((entry) => entry.isFile() && entry.name.endsWith(".py"))) return true;
  return depth > 0 && entries.some((entry) => entry.isDirectory() && hasPython(join(folder, entry.name), depth - 1));
}

/** The entries of a folder; none for a link to one, which may lead anywhere. */
function entriesOf(folder: string) {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
