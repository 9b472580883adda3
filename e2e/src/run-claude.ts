import { hookSettings, type CliRun, type CliRunOptions } from "./cli-run.ts";
import { installCli } from "./install-cli.ts";
import { filesByAge } from "./files-by-age.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { INSIDE, writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real Claude Code in a sandbox, headless or at its screen, against a scripted model. */
export async function runClaude(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("claude", options.version);
  await writeFiles(sandbox.home, {
    ".claude.json": JSON.stringify(ONBOARDING_DONE),
    ".claude/settings.json": JSON.stringify({ hooks: hookSettings(options.hooks ?? [], 60), ...SETTINGS }),
  });
  const headless = ["-p", options.prompt, "--output-format", "stream-json", "--verbose"];
  await options.setUp?.();
  const performance = await runInNamespace(sandbox, {
    agent: "claude",
    script: options.script,
    command: [
      ...command,
      ...(options.screenSteps ? [] : headless),
      ...(options.args ?? ["--permission-mode", "bypassPermissions"]),
    ],
    env: { ...ENV, ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: INPUT_BOX },
      { pauseMs: 1000 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 60_000,
  });
  const [transcriptPath = null] = filesByAge(sandbox.home, `.claude/projects/*/${SESSION}.jsonl`);
  return {
    ...performance,
    transcriptPath,
    subagentPaths: filesByAge(sandbox.home, ".claude/projects/*/{,*/subagents/}agent-*"),
    hookPayloads: await readHookPayloads(sandbox),
  };
}

/** Sessions are named by a uuid; older versions keep `agent-*.jsonl` files beside them. */
const SESSION = "????????-????-????-????-????????????";

/** The line around the input box is as wide as the screen. */
const INPUT_BOX = "─".repeat(130);

const SETTINGS = { skipDangerousModePermissionPrompt: true };

const ENV = {
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${MODEL_PORT}`,
  ANTHROPIC_API_KEY: "dummy-key-of-a-fake-model",
  IS_SANDBOX: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
};

/** What the interactive screen would otherwise ask first; keys are remembered by their last 20 characters. */
const ONBOARDING_DONE = {
  hasCompletedOnboarding: true,
  theme: "dark",
  bypassPermissionsModeAccepted: true,
  customApiKeyResponses: { approved: [ENV.ANTHROPIC_API_KEY.slice(-20)], rejected: [] },
  projects: {
    [INSIDE.project]: { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
  },
};
