import { hash } from "node:crypto";
import { type BigIntStats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRacy, signatureOf } from "../files/signature.ts";
import type { WorkTree } from "./find-work-tree.ts";
import { parseNames } from "./raw-diff.ts";
import { runGit } from "./run-git.ts";

/** What decides, outside the folders themselves, which files git ignores. */
export interface IgnoreRules {
  /** A hash of git's settings. */
  readonly settings: string;
  /** The files that the settings stand in, by what the disk says of them; null where there may be others. */
  readonly configs: FileSignatures | null;
  /** The lists of ignored files that the settings name. */
  readonly lists: FileSignatures;
}

/** Files at the end of any links to them; `none` for nothing there. */
type FileSignatures = readonly (readonly [path: string, signature: string])[];

/** Asks git for the rules of a work tree; null where they cannot be told, or something was written too late to be known by its times. */
export async function readIgnoreRules(tree: WorkTree, momentNs: bigint): Promise<IgnoreRules | null> {
  const settings = await readSettings(tree);
  const list = settings === null ? null : personsList(tree, settings);
  if (settings === null || list === null) return null;
  const lists = settledSignatures([join(tree.commonDir, "info", "exclude"), list], momentNs);
  if (lists === null) return null;
  // What another file adds may depend on more than the files: on the branch, or on other settings.
  const hasOthers = settings.some(({ key }) => key.startsWith("include"));
  const files = settings.flatMap(({ origin }) => (origin.startsWith(FILE) ? resolve(tree.root, origin.slice(5)) : []));
  const configs = hasOthers ? null : settledSignatures([...files, ...usualConfigs(tree)], momentNs);
  return { settings: digestOf(settings), configs, lists };
}

/** Whether the rules are still the same; git is asked only where the disk does not tell. */
export async function areSameRules(tree: WorkTree, rules: IgnoreRules): Promise<boolean> {
  if (!areSame(rules.lists)) return false;
  const isUsual =
    rules.configs !== null && usualConfigs(tree).every((path) => rules.configs?.some(([at]) => at === path));
  if (isUsual && rules.configs !== null && areSame(rules.configs)) return true;
  const settings = await readSettings(tree);
  // The lists are those of the settings, so the same settings name the same lists, in the same home.
  return (
    settings !== null &&
    digestOf(settings) === rules.settings &&
    rules.lists.some(([path]) => path === personsList(tree, settings))
  );
}

interface Setting {
  readonly origin: string;
  readonly key: string;
  readonly value: string;
}

const FILE = "file:";

async function readSettings(tree: WorkTree): Promise<readonly Setting[] | null> {
  const result = await runGit(["config", "--list", "--show-origin", "-z"], { cwd: tree.root });
  if (result.status === "failed") return null;
  const fields = parseNames(result.stdout).map((field) => Buffer.from(field, "latin1").toString("utf8"));
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, row): Setting => {
    const [key = "", ...value] = (fields[row * 2 + 1] ?? "").split("\n");
    return { origin: fields[row * 2] ?? "", key, value: value.join("\n") };
  });
}

function digestOf(settings: readonly Setting[]): string {
  return hash("sha256", JSON.stringify(settings));
}

/** The list of ignored files that is the person's own; null where its name needs git to be understood. */
function personsList(tree: WorkTree, settings: readonly Setting[]): string | null {
  const path = settings.findLast(({ key }) => key === "core.excludesfile")?.value;
  if (path === undefined) return join(configHome(), "git", "ignore");
  if (path.startsWith("~/")) return join(home(), path.slice(2));
  return /^[~%:]/.test(path) ? null : resolve(tree.root, path);
}

/** Where git looks for settings, whether or not there is such a file yet. */
function usualConfigs({ gitDir, commonDir }: WorkTree): readonly string[] {
  return [
    ...["/etc", "/usr/local/etc", "/opt/homebrew/etc"].map((folder) => join(folder, "gitconfig")),
    join(configHome(), "git", "config"),
    join(home(), ".gitconfig"),
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
  ];
}

function home(): string {
  return process.env["HOME"] ?? "";
}

function configHome(): string {
  const folder = process.env["XDG_CONFIG_HOME"] ?? "";
  return folder === "" ? join(home(), ".config") : folder;
}

function settledSignatures(paths: readonly string[], momentNs: bigint): FileSignatures | null {
  const signatures: (readonly [string, string])[] = [];
  for (const path of new Set(paths)) {
    const stats = statsOf(path);
    if (stats !== null && isRacy(stats, momentNs)) return null;
    signatures.push([path, stats === null ? "none" : signatureOf(stats)]);
  }
  return signatures;
}

function areSame(files: FileSignatures): boolean {
  return files.every(([path, signature]) => {
    const stats = statsOf(path);
    return (stats === null ? "none" : signatureOf(stats)) === signature;
  });
}

/** A file that cannot be reached is one that git cannot read either. */
function statsOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
