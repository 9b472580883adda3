import { lstatSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { CheckpointError } from "@agent-checkpoint/handoff";
import { errorCode } from "@agent-checkpoint/files";

/** The folders that lead from a project's root to its state. */
const STEPS = [".claude", "state"];

/** Where the state of a project lies, whether it is there or not. */
export function stateFolderOf(root: string): string {
  return join(root, ...STEPS);
}

/** The state folder as it really lies; null where there is none yet. */
export function findStateFolder(root: string): string | null {
  return follow(root, (folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined);
}

/** The state folder as it really lies, made where it is missing, and hidden from git by a file of its own. */
export function makeStateFolder(root: string): string {
  const folder = follow(root, make);
  if (folder === null) throw new CheckpointError("no-folder", `${stateFolderOf(root)} cannot be made`);
  writeUnlessThere(join(folder, ".gitignore"), "*\n");
  return folder;
}

/** Goes to the state folder step by step, so that nothing is made or read behind a link that leads out of the project. */
function follow(root: string, isThere: (folder: string) => boolean): string | null {
  const home = realpathSync(root);
  let folder = home;
  for (const step of STEPS) {
    const next = join(folder, step);
    if (!isThere(next)) return null;
    folder = realFolder(next, home);
  }
  return folder;
}

function realFolder(path: string, home: string): string {
  const real = realPath(path);
  if (real === null || !statSync(real).isDirectory()) throw new CheckpointError("no-folder", `${path} is no folder`);
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

function writeUnlessThere(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
