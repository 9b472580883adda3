import { fileURLToPath } from "node:url";
import type { HookAgent } from "./agent-voices.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));

/** The command line of our hook, as it stands in an agent's settings. */
export function hookCommand(agent: HookAgent): string {
  return `'${process.execPath}' '${PROGRAM}' --agent ${agent}`;
}
