import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { errorCode, writeNew } from "@agent-checkpoint/files";
import { findGitRoot } from "@agent-checkpoint/git";
import { CheckpointError } from "../report.ts";

/** The folder of the caller, and the agent's environment. */
export interface Workplace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The root of the repository around a folder; outside of one the agent's project, otherwise the folder itself; never `/`. */
export function findProjectRoot({ cwd, env }: Workplace = { cwd: process.cwd(), env: process.env }): string {
  const { CLAUDE_PROJECT_DIR: project = "" } = env;
  const found = [findGitRoot(cwd), project, cwd].find((folder) => folder !== null && isUsable(folder));
  if (typeof found === "string") return found;
  throw new CheckpointError("no-folder", `${cwd} is not a project: change to the folder of one`);
}

function isUsable(folder: string): boolean {
  return isAbsolute(folder) && dirname(folder) !== folder && existsSync(folder);
}

/** The folder of a project's state, from its root. */
export const STATE_FOLDER = ".claude/state";

/** The state folder of a project, whether it exists or not. */
export function stateFolderOf(root: string): string {
  return join(root, STATE_FOLDER);
}

/** The real path of the state folder; null if there is none yet. */
export function findStateFolder(root: string): string | null {
  return follow(root, (folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined);
}

/** The real path of the state folder; creates it if it is missing, with a `.gitignore`. */
export function makeStateFolder(root: string): string {
  const folder = follow(root, make);
  if (folder === null) throw new CheckpointError("no-folder", `${stateFolderOf(root)} cannot be made`);
  writeNew(join(folder, ".gitignore"), "*\n");
  return folder;
}

/** Follows the path step by step, so that nothing is created or read behind a link that leads out of the project. */
function follow(root: string, isThere: (folder: string) => boolean): string | null {
  const home = realpathSync(root);
  let folder = home;
  for (const step of STATE_FOLDER.split("/")) {
    const next = join(folder, step);
    if (!isThere(next)) return null;
    folder = realFolder(next, home);
  }
  return folder;
}

function realFolder(path: string, home: string): string {
  const real = realPath(path);
  if (real === null || !statSync(real).isDirectory()) throw new CheckpointError("no-folder", `${path} is not a folder`);
  if (!real.startsWith(home.endsWith(sep) ? home : home + sep))
    throw new CheckpointError("no-folder", `${path} leads out of the project, to ${real}`);
  return real;
}

/** Null for a link that leads nowhere. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function make(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return true;
}
