import { CheckpointError, findProjectRoot } from "@agent-checkpoint/phases";
import type { Environment } from "../environment.ts";
import { faultToError } from "./fault-to-error.ts";

/** The project that the program was called in. */
export function projectRoot({ cwd, env }: Pick<Environment, "cwd" | "env">): string {
  try {
    return findProjectRoot({ cwd, env });
  } catch (error) {
    if (error instanceof CheckpointError) throw faultToError(error);
    throw error;
  }
}
