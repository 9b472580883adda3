import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { cacheFolder } from "./cache-folder.ts";
import { CLI_VERSIONS, wantsOldest, type AgentName } from "./cli-versions.ts";

/** How an installed CLI is started: the program and the arguments that come before its own. */
export interface InstalledCli {
  readonly version: string;
  readonly command: readonly [string, ...string[]];
}

/**
 * Installs a pinned version of an agent's CLI with npm, once, and returns how to start it.
 * The install is made under a temporary name and renamed, so that parallel callers see a whole one or none.
 */
export async function installCli(agent: AgentName, version: string = defaultVersion(agent)): Promise<InstalledCli> {
  const parent = join(cacheFolder(), "clis");
  const folder = join(parent, `${agent}-${version}`);
  if (!existsSync(folder)) {
    await mkdir(parent, { recursive: true });
    const fresh = await mkdtemp(join(parent, `.installing-${agent}-`));
    try {
      const { package: own, beside } = CLI_VERSIONS[agent];
      await npmInstall(
        fresh,
        [own, ...(beside === undefined ? [] : [beside])].map((name) => `${name}@${version}`),
      );
      findCommand(agent, fresh);
      await rename(fresh, folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  return { version, command: findCommand(agent, folder) };
}

function defaultVersion(agent: AgentName): string {
  const { newest, older } = CLI_VERSIONS[agent];
  return (wantsOldest() && older.at(-1)) || newest;
}

async function npmInstall(folder: string, specs: readonly string[]): Promise<void> {
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...specs];
  const { failed, stderr } = await execa("npm", args, { cwd: folder, timeout: 10 * 60_000, reject: false });
  if (failed)
    throw new Error(`${specs.join(" ")} could not be installed: ${stderr.trim().split("\n")[0] || "out of time"}`);
}

const MACHINE = process.arch === "arm64" ? "aarch64-unknown-linux-musl" : "x86_64-unknown-linux-musl";

/** Where each CLI keeps its program, newest layout first; a `.js` file is run by Node. */
const PROGRAMS: Readonly<Record<AgentName, readonly string[]>> = {
  claude: [`@anthropic-ai/claude-code-linux-${process.arch}/claude`, "@anthropic-ai/claude-code/cli.js"],
  gemini: ["@google/gemini-cli/bundle/gemini.js"],
  codex: [
    `@openai/codex-linux-${process.arch}/vendor/${MACHINE}/bin/codex`,
    `@openai/codex-linux-${process.arch}/vendor/${MACHINE}/codex/codex`,
    `@openai/codex/vendor/${MACHINE}/codex/codex`,
    `@openai/codex/bin/codex-${MACHINE}`,
  ],
  copilot: [`@github/copilot-linux-${process.arch}/copilot`],
  qwen: ["@qwen-code/qwen-code/cli.js"],
  opencode: ["opencode-linux-x64/bin/opencode"],
  pi: ["@earendil-works/pi-coding-agent/dist/bundle/cli.js"],
};

function findCommand(agent: AgentName, folder: string): readonly [string, ...string[]] {
  const program = PROGRAMS[agent].map((path) => join(folder, "node_modules", path)).find((path) => existsSync(path));
  if (!program)
    throw new Error(
      `${agent}: none of ${PROGRAMS[agent].join(", ")} is in ${folder}/node_modules. The CLI's package has a new layout: add it to PROGRAMS.`,
    );
  return program.endsWith(".js") ? [process.execPath, program] : [program];
}
