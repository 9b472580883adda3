import { hookSettings, type CliRun, type CliRunOptions } from "./cli-run.ts";
import { installCli } from "./install-cli.ts";
import { filesByAge } from "./files-by-age.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { INSIDE, writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real Codex in a sandbox, with `exec` or at its screen, against a scripted model. */
export async function runCodex(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("codex", options.version);
  await writeFiles(sandbox.home, {
    ".codex/config.toml": configToml(options.model ?? "gpt-5.5"),
    ...(options.hooks && { ".codex/hooks.json": JSON.stringify({ hooks: hookSettings(options.hooks, 60) }) }),
  });
  const performance = await runInNamespace(sandbox, {
    agent: "codex",
    script: options.script,
    command: [
      ...command,
      ...(options.screenSteps ? ["--no-daemon"] : ["exec"]),
      ...(options.args ?? ["--dangerously-bypass-approvals-and-sandbox"]),
      ...(options.screenSteps ? [] : [options.prompt]),
    ],
    env: { CODEX_HOME: `${INSIDE.home}/.codex`, OPENAI_API_KEY: "dummy", CLI: command[0], ...options.env },
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

function configToml(model: string): string {
  return `model = "${model}"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "Fake loopback"
base_url = "http://127.0.0.1:${MODEL_PORT}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
[projects."${INSIDE.project}"]
trust_level = "trusted"
`;
}
