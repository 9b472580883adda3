import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SaveMode } from "@agent-checkpoint/categories";

/** Where and how a session runs. */
export interface ModeFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly mode: SaveMode;
}

/** Whether work is saved without being asked: by a flag file, a loop's variable or the config. */
export function isAutonomous({ env, userHome, mode }: ModeFacts): boolean {
  return mode === "autonomous" || isLoop(env["CLAUDE_LOOP_ACTIVE"]) || isThere(flagFile(env, userHome));
}

/** False also if Node's permissions forbid the check. */
function isThere(path: string): boolean {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
}

function flagFile(env: ModeFacts["env"], userHome: string): string {
  return join(env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude"), "autonomous-mode.active");
}

function isLoop(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}
