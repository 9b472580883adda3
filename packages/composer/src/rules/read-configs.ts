import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { PresetName } from "@agent-checkpoint/categories";
import { errorCode, readSmallFile } from "@agent-checkpoint/files";
import { REDACTED } from "@agent-checkpoint/redaction";

export const CONFIG_FILE = "checkpoint.config.json";

const PERSONAL_FILE = "config.json";

/** The rules of the person's team, in the same place: a sync writes there what was signed for it. */
export const TEAM_FILE = "team-rules.json";

/** What the rules of a repository are made of. */
export interface Configs {
  /** The preset, if no config names one. */
  readonly preset: PresetName;
  /** The configs, each of which overrides the one before it. */
  readonly files: readonly ConfigFile[];
  /** The repository's own config; null if it has none. */
  readonly configFile: string | null;
}

/** A config file, by the name that a person knows it by. */
export interface ConfigFile {
  readonly name: string;
  readonly file: Exclude<FileText, { readonly status: "missing" }>;
}

/** Reads the configs of a repository: the team's of its person, the person's, and its own. */
export function readConfigs(root: string, home: string | null): Configs {
  const theirs = home === null ? [] : [TEAM_FILE, PERSONAL_FILE].map((name) => join(home, name));
  const own = named(CONFIG_FILE, readProjectFile(root, CONFIG_FILE));
  return configsOf(root, [...theirs.flatMap((path) => named(path, readOwnFile(path))), ...own]);
}

/** The same, with configs that have been read already. */
export function configsOf(root: string, files: Configs["files"]): Configs {
  const isOwn = files.some(({ name }) => name === CONFIG_FILE);
  return { preset: detectPreset(root), files, configFile: isOwn ? CONFIG_FILE : null };
}

/** The most that is remembered of a prompt's configs; no config that a person has written comes near. */
const MAX_REMEMBERED = 64 * 1024;

/** The configs of a repository as text, for the record of a prompt; null if they are too long. */
export function rememberConfigs(root: string, home: string | null): string | null {
  const text = JSON.stringify(readConfigs(root, home).files);
  return text.length > MAX_REMEMBERED ? null : text;
}

/** The configs that were remembered; null if there are none, or if they held a secret, which no record keeps. */
export function recallConfigs(text: string | null | undefined): Configs["files"] | null {
  return text == null || text.includes(REDACTED) ? null : (JSON.parse(text) as Configs["files"]);
}

/** Whether the configs of a person or the repository are no longer those that were remembered; a sync may change the team's. */
export function haveConfigsChanged(remembered: Configs["files"], root: string, home: string | null): boolean {
  const compared = (files: Configs["files"]) => JSON.stringify(files.filter(({ name }) => !name.endsWith(TEAM_FILE)));
  return compared(remembered) !== compared(readConfigs(root, home).files);
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

/** The text of a small file, or why there is none. */
export type FileText =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "refused"; readonly found: string };

const MAX_BYTES = 1024 * 1024;

/** A file of a repository; a link that leads out of the repository is not followed, wherever on the way it is. */
export function readProjectFile(root: string, file: string): FileText {
  return reading(join(root, file), (path) => {
    // A file at the root that is no link itself cannot lead anywhere.
    if (!file.includes("/") && !lstatSync(path).isSymbolicLink()) return path;
    const real = realpathSync(path);
    return real.startsWith(`${realpathSync(root)}${sep}`) ? real : null;
  });
}

/** A file of the person's own, who may keep it elsewhere and link to it. */
export function readOwnFile(path: string): FileText {
  return reading(path, realpathSync);
}

/** The implementation plan of a working slug; null if there is none or the slug is not a plain folder name. */
export function readPlan(root: string, slug: string | null): string | null {
  if (slug === null || !isSafeSlug(slug)) return null;
  const plan = readProjectFile(root, `todos/${slug}/implementation-plan.md`);
  return plan.status === "read" ? plan.text : null;
}

/** Whether a working slug is a plain folder name. */
export function isSafeSlug(slug: string): boolean {
  return slug !== "" && slug !== "." && !slug.includes("..") && !/[/\\\0]/.test(slug) && slug.length <= 200;
}

/** Most files are absent, and an error for each would be slow. */
function reading(path: string, resolve: (path: string) => string | null): FileText {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { status: "missing" };
    const real = resolve(path);
    if (real === null) return { status: "refused", found: "a link that leads out of the repository" };
    const file = readSmallFile(real, MAX_BYTES);
    if (file.ok) return { status: "read", text: file.bytes.toString("utf8") };
    if (file.reason === "missing") return { status: "missing" };
    return { status: "refused", found: file.reason === "too-large" ? "more than 1 MB" : file.detail };
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : { status: "refused", found: code };
  }
}
