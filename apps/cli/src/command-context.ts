import type { Command } from "commander";
import type { Environment } from "./environment.ts";

/** What a command runs in: its environment, and how it sets an exit code other than 0. */
export interface CommandContext extends Environment {
  readonly exit: (code: number) => void;
}

/** Completes a command: its description, options and examples, and what it does. */
export type DefineCommand = (command: Command, context: CommandContext) => void;
