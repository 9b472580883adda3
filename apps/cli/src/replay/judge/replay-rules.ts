import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { describeProblem, type Rules } from "@agent-checkpoint/categories";
import { findGitRoot, loadRules } from "@agent-checkpoint/composer";

/** The rules that the sessions of a project are judged by, or what is wrong with its config. */
export type ProjectRules =
  | {
      readonly ok: true;
      readonly rules: Rules;
      readonly configFile: string | null;
      /** The folder that the rules' globs start from. */
      readonly root: string;
      /** Two projects with the same rules have the same. */
      readonly hash: string;
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
  if (given !== null) return { ok: true, rules: given, configFile: null, root, hash: hashOf(given, null) };
  const loaded = loadRules(isHere ? root : (lentRoot ?? root), home);
  if (!loaded.ok) return { ok: false, problem: loaded.problems.map(describeProblem).join(" ") };
  const { rules, configFile } = loaded;
  return { ok: true, rules, configFile, root, hash: hashOf(rules, configFile) };
}

function hashOf(rules: Rules, configFile: string | null): string {
  return createHash("sha256")
    .update(JSON.stringify([rules, configFile]))
    .digest("hex")
    .slice(0, 16);
}
