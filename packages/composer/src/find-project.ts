import { realpathSync } from "node:fs";
import { GENERIC, TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import {
  type ChangedFiles,
  findGitRoot,
  isLargeRepository,
  listChangedFiles,
  peekRepository,
} from "@agent-checkpoint/git";
import type { MovedRule, Store } from "@agent-checkpoint/store";
import { fromCache, toCache } from "./repository-cache.ts";
import type { LoadedRules } from "./rules/load-rules.ts";
import { type Configs, configsOf, readConfigs } from "./rules/read-configs.ts";

/** A repository at the time of an event. */
export interface Project {
  /** The root of the repository, or the folder that the agent was started in. */
  readonly root: string;
  /** What all work trees of the repository have in common; the root without one. */
  readonly repository: string;
  /** Other spellings of the root: its real path, if a link leads there. */
  readonly aliases: readonly string[];
  readonly rules: LoadedRules;
}

export interface ProjectOptions {
  /** The configs to use instead of those on disk. */
  readonly configs?: Configs["files"] | null | undefined;
}

/** Finds the repository that a folder lies in, and its rules. */
export async function findProject(
  folder: string,
  home: string | null,
  { configs }: ProjectOptions = {},
): Promise<Project> {
  const root = findGitRoot(folder) ?? folder;
  const rules = await findRules(root, home, { configs });
  return { root, repository: peekRepository(root), aliases: aliasesOf(root), rules };
}

/**
 * The rules of a repository.
 *
 * Parsing and checking a config takes a third as long as `node -e 0` at every event, so the result is cached for the exact same texts.
 */
export async function findRules(
  root: string,
  home: string | null,
  { configs: given }: ProjectOptions = {},
): Promise<LoadedRules> {
  const configs = given == null ? readConfigs(root, home) : configsOf(root, given);
  const { preset, files, configFile } = configs;
  if (files.length === 0) return { ok: true, rules: preset === "teleclaude" ? TELECLAUDE : GENERIC, configFile };
  const source = JSON.stringify(configs);
  const place = { home, root, kind: "rules" } as const;
  const cached = fromCache(place, (known) => (known.source === source ? known.loaded : null));
  if (cached !== null) return cached;
  const { makeRules } = await import("./rules/load-rules.ts");
  const loaded = makeRules(configs);
  toCache(place, { source, loaded });
  return loaded;
}

/** The rules of a repository that the program has moved; none if its config does not allow it. */
export async function listMoved(
  { modes }: { readonly modes: Pick<Store["modes"], "list"> },
  repository: string,
  loaded: LoadedRules,
): Promise<readonly MovedRule[]> {
  return loaded.ok && loaded.rules.noise === "auto" ? modes.list(repository) : [];
}

export interface ListFilesOptions {
  readonly mayWait?: boolean | undefined;
  /** The commit that the turn began at: what the session has committed since is still its work. */
  readonly since?: string | null | undefined;
}

/** The changed files, at least those among the paths that the session can have touched; null if these are not known. */
export type Listing = (touched: () => readonly string[] | null) => Promise<ChangedFiles>;

/** Asks git for the changed files; in a large repository only once the possible ones are known. Null without usable rules. */
export function listFiles(
  { root, rules: loaded }: Project,
  { mayWait, since: head }: ListFilesOptions = {},
): Listing | null {
  if (!loaded.ok) return null;
  const { untracked, scope } = loaded.rules;
  const isOfSession = scope === "session";
  const options = { untracked, mayWait, since: isOfSession ? head : null };
  if (isOfSession && isLargeRepository(root))
    return (touched) => listChangedFiles(root, { ...options, paths: touched() });
  const listed = listChangedFiles(root, options);
  return () => listed;
}

function aliasesOf(root: string): readonly string[] {
  try {
    const real = realpathSync(root);
    return real === root ? [] : [real];
  } catch {
    return [];
  }
}
