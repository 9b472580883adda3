import { readFile, writeFile } from "node:fs/promises";
import type { AgentName } from "./cli-versions.ts";
import { checkpoint } from "./checkpoint-program.ts";
import { type HookRegistration, hookSettings } from "./cli-run.ts";
import type { Sandbox } from "./sandbox.ts";

/** Registers hooks with an agent that has none: in the program that `checkpoint init` writes for it, instead of ours. */
export async function writeProgramHooks(
  sandbox: Sandbox,
  { agent, file, hooks }: { agent: AgentName; file: string; hooks: readonly HookRegistration[] },
): Promise<void> {
  if (hooks.length === 0) return;
  await checkpoint(sandbox, "init", "--agent", agent, "--no-config", "--yes");
  const program = await readFile(file, "utf8");
  const settings = JSON.stringify({ hooks: hookSettings(hooks, 30) });
  await writeFile(
    file,
    program.replace(/(?<=agent-checkpoint:settings\n)[^]*(?=; \/\/ agent-checkpoint:end)/, () => settings),
  );
}
