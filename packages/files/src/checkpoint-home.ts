import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import type * as os from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { errorCode } from "./unknown-values.ts";

/**
 * The folder that holds the database and the log.
 * A relative path in a variable is ignored: it would name another folder, perhaps in the work tree, after every `cd`.
 */
export function checkpointHome(env: Readonly<Record<string, string | undefined>>): string {
  const { CHECKPOINT_HOME: own = "", XDG_STATE_HOME: state = "" } = env;
  if (isAbsolute(own)) return own;
  if (isAbsolute(state)) return join(state, "agent-checkpoint");
  const home = userHome(env.HOME);
  if (home !== null) return join(home, ".local", "state", "agent-checkpoint");
  const { tmpdir, userInfo } = systemModule();
  return join(tmpdir(), `agent-checkpoint-${process.getuid?.() ?? userInfo().username}`);
}

/** An empty or relative HOME names no home. Windows sets another variable, which the system knows. */
function userHome(named: string | undefined): string | null {
  if (named !== undefined && isAbsolute(named)) return named;
  if (named !== undefined && process.platform !== "win32") return null;
  try {
    const home = systemModule().homedir();
    return isAbsolute(home) ? home : null;
  } catch {
    // Without HOME the system is asked, and a user it does not know has no home.
    return null;
  }
}

/** Hardly ever needed, so not loaded with this file. */
function systemModule(): typeof os {
  return process.getBuiltinModule("node:os");
}

/** Creates the home, readable by its owner only; a folder that another user created in the temporary folder is refused. */
export function ensureHome(home: string): void {
  makeFolder(home);
  if (process.getuid === undefined || !isTemporary(dirname(home))) return;
  const stats = lstatSync(home);
  if (!stats.isDirectory() || stats.uid !== process.getuid())
    throw Object.assign(new Error(`${home} belongs to another user; set CHECKPOINT_HOME to a folder of your own`), {
      code: "EACCES",
    });
}

/** Whether a folder is one for temporary files; loading `node:os` would slow down every event. */
function isTemporary(folder: string): boolean {
  const { TMPDIR, TMP, TEMP } = process.env;
  return [TMPDIR, TMP, TEMP, "/tmp"].some((path) => path !== undefined && path.replace(/(.)\/+$/, "$1") === folder);
}

/** Creates a folder and its parents; `recursive` never returns if a parent exists but nothing can be created in it. */
function makeFolder(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    // Another process may have been faster.
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
