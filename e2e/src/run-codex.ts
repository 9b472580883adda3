import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { CODEX_ENV, codexSettings } from "./codex-settings.ts";
import { installCli } from "./install-cli.ts";
import { filesByAge } from "./files-by-age.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { writeFiles, type Sandbox } from "./sandbox.ts";

/** Runs the real Codex in a sandbox, with `exec` or at its screen, against a scripted model. */
export async function runCodex(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("codex", options.version);
  await writeFiles(sandbox.home, codexSettings(options));
  await options.setUp?.();
  const performance = await runInNamespace(sandbox, {
    agent: "codex",
    script: options.script,
    command: [
      ...command,
      ...(options.screenSteps ? ["--no-daemon"] : ["exec"]),
      ...(options.args ?? ["--dangerously-bypass-approvals-and-sandbox"]),
      ...(options.screenSteps ? [] : [options.prompt]),
    ],
    env: { ...CODEX_ENV, CLI: command[0], ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: " · ~/project" },
      { pauseMs: 1500 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 60_000,
  });
  const [transcriptPath = null, ...subagentPaths] = filesByAge(sandbox.home, ".codex/sessions/*/*/*/rollout-*.jsonl");
  return {
    ...performance,
    transcriptPath,
    subagentPaths,
    hookPayloads: await readHookPayloads(sandbox),
  };
}
