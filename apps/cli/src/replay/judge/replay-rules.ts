import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { describeProblem, type Rules } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";

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
export function createRulesFinder({
  given,
  home,
}: {
  readonly given: Rules | null;
  readonly home: string;
}): (projectPath: string | null) => ProjectRules {
  const known = new Map<string | null, ProjectRules>();
  return (projectPath) => {
    const rules = known.get(projectPath) ?? findRules(projectPath, { given, home });
    known.set(projectPath, rules);
    return rules;
  };
}

function findRules(
  projectPath: string | null,
  { given, home }: { readonly given: Rules | null; readonly home: string },
): ProjectRules {
  const path = projectPath ?? SOMEWHERE;
  const root = existsSync(path) ? (findGitRoot(path) ?? path) : path;
  if (given !== null) return { ok: true, rules: given, configFile: null, root, hash: hashOf(given, null) };
  const loaded = loadRules(root, home);
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
