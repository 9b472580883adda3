import { homedir } from "node:os";
import { join } from "node:path";
import { checkpointHome } from "@agent-checkpoint/files";
import { type Route } from "@agent-checkpoint/store";

/** Where things are and what the user asked for. */
export interface Settings {
  readonly home: string;
  readonly codexHome: string;
  readonly env: Readonly<Record<string, string>>;
  readonly forced: Route | null;
  /** The `codex` program. */
  readonly codex: string;
  /** The tmux command line, with the server if one is named. */
  readonly tmux: readonly [string, ...string[]];
  readonly workingSlug: string | null;
}

/** The settings from the environment and the options. */
export function settingsFrom(
  env: NodeJS.ProcessEnv,
  options: {
    readonly forced: Route | null;
    readonly codex?: string | undefined;
    readonly tmuxSocket?: string | undefined;
  },
): Settings {
  return {
    home: checkpointHome(env),
    codexHome: env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex"),
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    forced: options.forced,
    codex: options.codex ?? "codex",
    tmux: options.tmuxSocket === undefined ? ["tmux"] : ["tmux", "-L", options.tmuxSocket],
    workingSlug: env["CHECKPOINT_WORKING_SLUG"] || null,
  };
}
