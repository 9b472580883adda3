import type { Command } from "commander";
import type { Surroundings } from "../surroundings.ts";

/** What a command is made with: its surroundings, and how it sets the exit code where that is not 0. */
export interface CommandContext extends Surroundings {
  readonly exit: (code: number) => void;
}

/** Makes a command: its options, its help with examples, and what it does. */
export type MakeCommand = (context: CommandContext) => Command;
