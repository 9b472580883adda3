import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Progress, SafetyOptions } from "@agent-checkpoint/snapshots";
import { surroundingAgents } from "../sessions/agent-environment.ts";
import type { Surroundings } from "../surroundings.ts";

/** The options that every snapshot command has. */
export interface PlaceFlags {
  readonly root?: string;
  readonly store?: string;
  readonly session?: string;
}

/** What the library is called with: the place, the session, the program's own name, and somebody to tell how far it is. */
export function safetyOptions(
  { root, store, session }: PlaceFlags,
  { cwd, home, userHome, env, now }: Surroundings,
  { command, progress }: { readonly command: string; readonly progress: (progress: Progress) => void },
): SafetyOptions {
  return {
    cwd,
    home,
    userHome,
    ...(root === undefined ? {} : { root: resolve(cwd, root) }),
    ...(store === undefined ? {} : { store: resolve(cwd, store) }),
    session: session ?? sessionIn(env),
    program: programWords(),
    now,
    progress,
    auditAs: command,
  };
}

/** The words that start this very program again, from any folder. */
function programWords(): readonly string[] {
  const [, script = "checkpoint"] = process.argv;
  return [process.execPath, realpathSync(script)];
}

/** The session of the agent that runs this, where its environment tells. */
function sessionIn(env: Surroundings["env"]): string | null {
  const [first] = surroundingAgents(env);
  return first?.sessionId ?? null;
}
