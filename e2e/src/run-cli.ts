import type { AgentName } from "./cli-versions.ts";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { runClaude } from "./run-claude.ts";
import { runCodex } from "./run-codex.ts";
import { runCopilot } from "./run-copilot.ts";
import { runGemini } from "./run-gemini.ts";
import { runOpencode } from "./run-opencode.ts";
import { runPi } from "./run-pi.ts";
import { runQwen } from "./run-qwen.ts";
import type { Sandbox } from "./sandbox.ts";

/** How each agent's CLI is run. */
export const RUN_CLI: Readonly<Record<AgentName, (sandbox: Sandbox, options: CliRunOptions) => Promise<CliRun>>> = {
  claude: runClaude,
  gemini: runGemini,
  codex: runCodex,
  copilot: runCopilot,
  qwen: runQwen,
  opencode: runOpencode,
  pi: runPi,
};
