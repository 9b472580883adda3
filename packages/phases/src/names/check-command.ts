import { CheckpointError } from "@agent-checkpoint/handoff";
import { COMMAND_NAMES, type CommandName } from "../commands.ts";

/** Refuses what is none of the commands. */
export function checkCommand(command: unknown): asserts command is CommandName {
  if (COMMAND_NAMES.some((name) => name === command)) return;
  const found = JSON.stringify(command)?.slice(0, 80) ?? "nothing";
  throw new CheckpointError("bad-name", `expected a command (${COMMAND_NAMES.join(", ")}), found ${found}`);
}
