import type { AgentName } from "@agent-checkpoint/transcript";
import { parseHookCommand } from "../command/hook-command.ts";
import type { HookCall } from "./registration.ts";

/** What a command line calls our program with; null where it does not call it. */
export function readHookCall(command: string): HookCall | null {
  const [, args, agent] = CALL.exec(command) ?? [];
  if (args === undefined) return null;
  const written = parseHookCommand(command);
  return {
    agent: AGENTS.find((name) => name === agent) ?? null,
    args: written?.args ?? args,
    isWrittenByInit: written !== null,
    node: written?.paths?.node ?? null,
    program: written?.paths?.program ?? null,
  };
}

/** Our program, named alone or at the end of a path, with the agent among its arguments. */
const CALL =
  /(?:^|[\s/\\'"])checkpoint-hook(?:\.cjs)?['"]?\s+([^;&|<>]*?--agent[\s=]+([\w-]+)[^;&|<>]*?)\s*(?:$|\d?[<>]|[;&|])/;

const AGENTS: readonly AgentName[] = ["claude", "gemini", "codex"];
