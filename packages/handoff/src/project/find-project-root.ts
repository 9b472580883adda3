import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { CheckpointError } from "../report/checkpoint-error.ts";

/** Where somebody works, and what the agent says of it. */
export interface Workplace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The root of the repository that a folder lies in; outside of one the agent's project, else the folder itself; never `/`. */
export function findProjectRoot({ cwd, env }: Workplace = { cwd: process.cwd(), env: process.env }): string {
  const { CLAUDE_PROJECT_DIR: project = "" } = env;
  const found = [findGitRoot(cwd), project, cwd].find((folder) => folder !== null && isUsable(folder));
  if (typeof found === "string") return found;
  throw new CheckpointError("no-folder", `${cwd} is no project: go to the folder of one`);
}

/** The root of a work tree; a worktree or submodule has a `.git` file instead of a folder. */
function findGitRoot(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (isTop(current)) return null;
  }
}

function isUsable(folder: string): boolean {
  return isAbsolute(folder) && !isTop(folder) && existsSync(folder);
}

function isTop(folder: string): boolean {
  return dirname(folder) === folder;
}
