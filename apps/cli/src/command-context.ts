import type { Command } from "commander";
import type { Environment } from "./environment.ts";

/** What a command is created with: its environment, and how it sets an exit code other than 0. */
export interface CommandContext extends Environment {
  readonly exit: (code: number) => void;
}

/** Creates a command: its options, its help with examples, and its action. */
export type MakeCommand = (context: CommandContext) => Command;
