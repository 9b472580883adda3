import type { MakeCommand } from "./command-context.ts";

/** The commands in the order that the help lists them. */
export const COMMANDS: readonly MakeCommand[] = [];
