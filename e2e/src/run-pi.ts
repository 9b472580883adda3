import { join } from "node:path";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { filesByAge } from "./files-by-age.ts";
import { installCli } from "./install-cli.ts";
import { writeProgramHooks } from "./program-hooks.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real pi in a sandbox, headless or at its screen, against a scripted model. */
export async function runPi(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("pi", options.version);
  const agentFolder = join(sandbox.home, ".pi", "agent");
  await writeFiles(agentFolder, { "models.json": JSON.stringify(MODELS), "settings.json": JSON.stringify(SETTINGS) });
  const file = join(agentFolder, "extensions", "agent-checkpoint.js");
  await writeProgramHooks(sandbox, { agent: "pi", file, hooks: options.hooks ?? [] });
  await options.setUp?.();
  const shared = options.args ?? [];
  const headless = (prompt: string) => [...command, "-p", prompt, ...shared];
  const performance = await runInNamespace(sandbox, {
    agent: "pi",
    script: options.script,
    command: options.screenSteps ? [...command, ...shared] : headless(options.prompt),
    commandBeside: options.promptBeside === undefined ? undefined : headless(options.promptBeside),
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: "fake-model" },
      { pauseMs: 1500 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 90_000,
  });
  const [transcriptPath = null] = filesByAge(sandbox.home, ".pi/agent/sessions/*/*.jsonl");
  return { ...performance, transcriptPath, subagentPaths: [], hookPayloads: await readHookPayloads(sandbox) };
}

const MODELS = {
  providers: {
    fake: {
      baseUrl: `http://127.0.0.1:${MODEL_PORT}/v1`,
      api: "openai-completions",
      apiKey: "dummy",
      models: [
        {
          id: "fake-model",
          name: "Fake",
          reasoning: false,
          input: ["text"],
          contextWindow: 200_000,
          maxTokens: 8000,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        },
      ],
    },
  },
};

const SETTINGS = {
  defaultProvider: "fake",
  defaultModel: "fake-model",
  enableInstallTelemetry: false,
  // A short session can be compacted too.
  compaction: { keepRecentTokens: 1 },
};
