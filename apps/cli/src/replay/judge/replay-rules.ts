import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describeProblem, parseConfig, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { errorCode } from "@agent-checkpoint/files";
import { findGitRoot } from "@agent-checkpoint/git";
import { readRepository, type RepositoryFacts } from "@agent-checkpoint/repository";
import { refused } from "../../cli-error.ts";
import { memoize } from "../../memoize.ts";
import { visible } from "../../terminal/visible.ts";

/** The rules that the sessions of a project are judged by, or what is wrong with its config. */
export type ProjectRules =
  | {
      readonly ok: true;
      readonly rules: Rules;
      readonly configFile: string | null;
      /** The folder that the rules' globs start from. */
      readonly root: string;
    }
  | { readonly ok: false; readonly detail: string };

/** The folder of a session whose folder is unknown: paths relative to it can still be judged. */
const SOMEWHERE = "/unknown";

/** Where rules come from. */
export interface RulesOptions {
  readonly given: Rules | null;
  readonly home: string;
  /** A repository that stands in for the projects that are not on this machine; null for none. */
  readonly lentRoot: string | null;
}

/** Finds the rules of projects: the given ones, otherwise the project's own if it still exists, otherwise the preset. */
export function createRulesFinder({
  given,
  home,
  lentRoot,
}: RulesOptions): (projectPath: string | null) => ProjectRules {
  return memoize((projectPath) => {
    const path = projectPath ?? SOMEWHERE;
    const isHere = existsSync(path);
    const root = isHere ? (findGitRoot(path) ?? path) : path;
    if (given !== null) return { ok: true, rules: given, configFile: null, root };
    const loaded = loadRules(isHere ? root : (lentRoot ?? root), home);
    if (!loaded.ok) return { ok: false, detail: loaded.problems.map(describeProblem).join(" ") };
    return { ok: true, rules: loaded.rules, configFile: loaded.configFile, root };
  });
}

/** Finds the facts of the repositories of past sessions; null for those that are not on this machine. */
export function createFactsFinder({
  lentRoot,
}: Pick<RulesOptions, "lentRoot">): (root: string) => Promise<RepositoryFacts | null> {
  const read = memoize((place: string) =>
    readRepository(place, place === lentRoot && !existsSync(join(place, ".git")) ? { tracked: filesBelow(place) } : {}),
  );
  return async (root) => {
    const place = existsSync(root) ? root : lentRoot;
    return place === null ? null : read(place);
  };
}

/** A lent folder may be the bare files of a repository, of which git knows nothing. */
function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll("\\", "/"))
    .filter((path) => !/(?:^|\/)node_modules\//.test(path));
}

/** Reads the rules of a config file that the user named, on the generic preset if it names none. */
export function readGivenRules(path: string): Rules {
  const parsed = parseConfig(readText(path), path);
  const resolved = parsed.ok ? resolveRules("generic", [{ file: path, config: parsed.config }]) : parsed;
  if (resolved.ok) return resolved.rules;
  throw refused(
    `The rules cannot be used. ${resolved.problems.map(describeProblem).join(" ")}`,
    "Correct the file, or leave --config out to use the rules of each project.",
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw refused(
      `The config file ${visible(path)} cannot be read (${errorCode(error) ?? "unknown"}).`,
      "Name a checkpoint.config.json that exists.",
    );
  }
}
