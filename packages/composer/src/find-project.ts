import { realpathSync } from "node:fs";
import { type ChangedFiles, findGitRoot, listChangedFiles } from "@agent-checkpoint/git";
import { findRules } from "./rules/find-rules.ts";
import type { LoadedRules } from "./rules/load-rules.ts";

/** A repository as an event finds it. */
export interface Project {
  /** The root of the repository, else the folder that the agent was started in. */
  readonly root: string;
  /** Other spellings of the root: its real path, if a link leads there. */
  readonly aliases: readonly string[];
  readonly rules: LoadedRules;
}

/** Finds the repository that a folder lies in, and its rules. */
export async function findProject(folder: string, home: string | null): Promise<Project> {
  const root = findGitRoot(folder) ?? folder;
  return { root, aliases: aliasesOf(root), rules: await findRules(root, home) };
}

/** Asks git for the changed files; null without usable rules. */
export function listFiles({ root, rules: loaded }: Project, mayWait = false): Promise<ChangedFiles> | null {
  return loaded.ok ? listChangedFiles(root, { untracked: loaded.rules.untracked, mayWait }) : null;
}

function aliasesOf(root: string): readonly string[] {
  try {
    const real = realpathSync(root);
    return real === root ? [] : [real];
  } catch {
    return [];
  }
}
