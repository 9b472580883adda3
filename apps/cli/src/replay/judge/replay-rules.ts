import { existsSync, readFileSync } from "node:fs";
import { describeProblem, parseConfig, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import { readRepository, type RepositoryFacts } from "@agent-checkpoint/repository";
import { refused } from "../../cli-error.ts";
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
  | { readonly ok: false; readonly problem: string };

/** Where a session lies of which nobody knows where: paths that are written relative to it still tell. */
const SOMEWHERE = "/unknown";

/** Finds the rules of projects, each looked up once: the given ones, else the project's own where it still exists, else the preset. */
export function createRulesFinder(options: RulesOptions): (projectPath: string | null) => ProjectRules {
  const known = new Map<string | null, ProjectRules>();
  return (projectPath) => {
    const rules = known.get(projectPath) ?? findRules(projectPath, options);
    known.set(projectPath, rules);
    return rules;
  };
}

/** Where rules come from. */
export interface RulesOptions {
  readonly given: Rules | null;
  readonly home: string;
  /** A repository that stands in for the projects that are not on this machine; null for none. */
  readonly lentRoot: string | null;
}

function findRules(projectPath: string | null, { given, home, lentRoot }: RulesOptions): ProjectRules {
  const path = projectPath ?? SOMEWHERE;
  const isHere = existsSync(path);
  const root = isHere ? (findGitRoot(path) ?? path) : path;
  if (given !== null) return { ok: true, rules: given, configFile: null, root };
  const loaded = loadRules(isHere ? root : (lentRoot ?? root), home);
  if (!loaded.ok) return { ok: false, problem: loaded.problems.map(describeProblem).join(" ") };
  return { ok: true, rules: loaded.rules, configFile: loaded.configFile, root };
}

/** Finds what is known of the repositories of past sessions, each looked at once; null for those that are not on this machine. */
export function createFactsFinder({
  lentRoot,
}: {
  readonly lentRoot: string | null;
}): (root: string) => Promise<RepositoryFacts | null> {
  const known = new Map<string, Promise<RepositoryFacts | null>>();
  return (root) => {
    const place = existsSync(root) ? root : lentRoot;
    if (place === null) return Promise.resolve(null);
    const facts = known.get(place) ?? readRepository(place);
    known.set(place, facts);
    return facts;
  };
}

/** Reads the rules of a config file that the person named, over the generic preset where it names none. */
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
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw refused(
      `The config file ${visible(path)} cannot be read (${code}).`,
      "Name a checkpoint.config.json that exists.",
    );
  }
}
