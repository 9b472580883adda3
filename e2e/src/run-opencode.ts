import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { filesByAge } from "./files-by-age.ts";
import { installCli } from "./install-cli.ts";
import { writeProgramHooks } from "./program-hooks.ts";
import { readHookPayloads } from "./recorded-hooks.ts";
import { runInNamespace } from "./run-in-namespace.ts";
import { writeFiles, type Sandbox } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** Runs the real OpenCode in a sandbox, with `run` or at its screen, against a scripted model. */
export async function runOpencode(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const { command } = await installCli("opencode", options.version);
  const config = join(sandbox.home, ".config", "opencode");
  await layOutPackages(config, command[0]);
  await writeFiles(config, {
    "opencode.json": JSON.stringify(settingsFor(options.model ?? "@ai-sdk/openai-compatible")),
  });
  const file = join(config, "plugins", "agent-checkpoint.js");
  await writeProgramHooks(sandbox, { agent: "opencode", file, hooks: options.hooks ?? [] });
  await options.setUp?.();
  const ofProject = join(sandbox.project, ".opencode");
  if (existsSync(ofProject)) await layOutPackages(ofProject, command[0]);
  const shared = options.args ?? [];
  const headless = (prompt: string) => [...command, "run", prompt, ...shared];
  const performance = await runInNamespace(sandbox, {
    agent: "opencode",
    script: options.script,
    command: options.screenSteps ? [...command, ...shared] : headless(options.prompt),
    commandBeside: options.promptBeside === undefined ? undefined : headless(options.promptBeside),
    env: { ...ENV, ...options.env },
    screenSteps: options.screenSteps && [
      { waitFor: "Ask anything" },
      { pauseMs: 3000 },
      { enter: options.prompt },
      ...options.screenSteps,
    ],
    timeLimitMs: options.timeLimitMs ?? 120_000,
  });
  const files = filesByAge(sandbox.home, ".local/share/opencode/agent-checkpoint/*.jsonl");
  const transcriptPath = files.find((path) => readFileSync(path, "utf8").includes('"parent":null')) ?? null;
  return {
    ...performance,
    transcriptPath,
    subagentPaths: files.filter((path) => path !== transcriptPath),
    hookPayloads: await readHookPayloads(sandbox),
  };
}

/** With a plugin, OpenCode installs a package of its own beside it, which takes minutes without a network. */
async function layOutPackages(config: string, program: string): Promise<void> {
  const installed = program.slice(0, program.indexOf("/node_modules/"));
  await mkdir(config, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(installed, file), join(config, file));
  await symlink(join(installed, "node_modules"), join(config, "node_modules")).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** The settings for a model that is spoken to by one of OpenCode's packages. */
function settingsFor(npm: string): object {
  const models = { "fake-model": { name: "Fake", tool_call: true, limit: { context: 200_000, output: 8000 } } };
  const options = { baseURL: `http://127.0.0.1:${MODEL_PORT}/v1`, apiKey: "dummy" };
  return {
    share: "disabled",
    autoupdate: false,
    model: "fake/fake-model",
    small_model: "fake/fake-model",
    enabled_providers: ["fake"],
    permission: { edit: "allow", bash: "allow", webfetch: "allow", external_directory: "allow" },
    provider: { fake: { npm, name: "Fake", options, models } },
  };
}

const ENV = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};
