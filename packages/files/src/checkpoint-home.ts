import type * as os from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The folder that holds the database and the log.
 * A relative path in a variable is passed over: it would name another folder, perhaps in the work tree, after every `cd`.
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
