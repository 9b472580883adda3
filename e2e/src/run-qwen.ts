import { hookSettings, type CliRun, type CliRunOptions } from "./cli-run.ts";
import { filesByAge } from "./files-by-age.ts";
import { installCli } from "./install-cli.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real Qwen Code in a sandbox, headless or at its screen, against a scripted model. */
export async function runQwen(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("qwen", options.version);
  await writeFiles(sandbox.home, {
    ".qwen/settings.json": JSON.stringify({ ...SETTINGS, hooks: hookSettings(options.hooks ?? [], 30_000) }),
  });
  await options.setUp?.();
  const shared = options.args ?? ["--yolo"];
  const headless = (prompt: string) => [...command, "-p", prompt, ...shared];
  const performance = await runInNamespace(sandbox, {
    agent: "qwen",
    script: options.script,
    command: options.screenSteps ? [...command, ...shared] : headless(options.prompt),
    commandBeside: options.promptBeside === undefined ? undefined : headless(options.promptBeside),
    env: { ...ENV, ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: "Type your message" },
      { pauseMs: 1500 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 90_000,
  });
  const [transcriptPath = null] = filesByAge(sandbox.home, ".qwen/projects/*/chats/*.jsonl");
  return {
    ...performance,
    transcriptPath,
    subagentPaths: filesByAge(sandbox.home, ".qwen/projects/*/subagents/*/*.jsonl"),
    hookPayloads: await readHookPayloads(sandbox),
  };
}

const SETTINGS = {
  security: { auth: { selectedType: "openai" } },
  model: { name: "fake-model" },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

const ENV = {
  OPENAI_BASE_URL: `http://127.0.0.1:${MODEL_PORT}/v1`,
  OPENAI_API_KEY: "dummy",
  OPENAI_MODEL: "fake-model",
  QWEN_SANDBOX: "false",
};
