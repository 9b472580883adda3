import { hookSettings, type CliRun, type CliRunOptions } from "./cli-run.ts";
import { installCli } from "./install-cli.ts";
import { filesByAge } from "./files-by-age.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { INSIDE, writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real Gemini CLI in a sandbox, headless or at its screen, against a scripted model. */
export async function runGemini(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("gemini", options.version);
  await writeFiles(sandbox.home, {
    ".gemini/settings.json": JSON.stringify({ ...SETTINGS, hooks: hookSettings(options.hooks ?? [], 60_000) }),
    ".gemini/trustedFolders.json": JSON.stringify({ [INSIDE.project]: "TRUST_FOLDER" }),
  });
  await options.setUp?.();
  const performance = await runInNamespace(sandbox, {
    agent: "gemini",
    script: options.script,
    command: [
      ...command,
      "--model",
      "gemini-2.5-pro",
      ...(options.screenSteps ? [] : ["-p", options.prompt]),
      ...(options.args ?? ["--yolo"]),
    ],
    env: { ...ENV, ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: "Type your message" },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 90_000,
  });
  const [transcriptPath = null] = filesByAge(sandbox.home, ".gemini/tmp/*/chats/session-*.{json,jsonl}");
  return {
    ...performance,
    transcriptPath,
    subagentPaths: filesByAge(sandbox.home, ".gemini/tmp/*/chats/*/*.{json,jsonl}"),
    hookPayloads: await readHookPayloads(sandbox),
  };
}

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true },
};

const ENV = {
  GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${MODEL_PORT}`,
  GEMINI_API_KEY: "dummy",
  GEMINI_TELEMETRY_ENABLED: "false",
  NO_COLOR: "1",
};
