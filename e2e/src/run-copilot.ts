import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { hookSettings, type CliRun, type CliRunOptions } from "./cli-run.ts";
import { filesByAge } from "./files-by-age.ts";
import { installCli } from "./install-cli.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { INSIDE, writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real Copilot CLI in a sandbox, headless or at its screen, against a scripted model. */
export async function runCopilot(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("copilot", options.version);
  await shareUnpackedProgram(sandbox);
  await writeFiles(sandbox.home, {
    ".copilot/hooks/recorder.json": JSON.stringify({ hooks: hookSettings(options.hooks ?? [], 60) }),
    ".copilot/config.json": JSON.stringify({ trustedFolders: [INSIDE.project] }),
  });
  await options.setUp?.();
  const shared = ["--allow-all-tools", "--allow-all-paths", "--no-color", ...(options.args ?? [])];
  const headless = (prompt: string) => [...command, "-p", prompt, ...shared];
  const performance = await runInNamespace(sandbox, {
    agent: "copilot",
    script: options.script,
    command: options.screenSteps ? [...command, ...shared] : headless(options.prompt),
    commandBeside: options.promptBeside === undefined ? undefined : headless(options.promptBeside),
    env: { ...ENV, ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: "/ commands" },
      { pauseMs: 1500 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 90_000,
  });
  const [transcriptPath = null] = filesByAge(sandbox.home, ".copilot/session-state/*/events.jsonl");
  return { ...performance, transcriptPath, subagentPaths: [], hookPayloads: await readHookPayloads(sandbox) };
}

/** At its first start the program unpacks 235 MB into the person's cache; one copy serves all runs. */
async function shareUnpackedProgram({ home }: Sandbox): Promise<void> {
  const shared = join(cacheFolder(), "copilot");
  await mkdir(shared, { recursive: true });
  await mkdir(join(home, ".cache"), { recursive: true });
  await symlink(shared, join(home, ".cache", "copilot")).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

const ENV = {
  COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${MODEL_PORT}/v1`,
  COPILOT_PROVIDER_API_KEY: "dummy",
  COPILOT_MODEL: "fake-model",
  COPILOT_OFFLINE: "true",
  COPILOT_AUTO_UPDATE: "false",
};
