import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { agentOf, wantedHooks } from "../agents.ts";
import { projectCommand } from "../program/hook-command.ts";
import { planRegistration } from "../settings/plan.ts";

const ROOT = new URL("../../../../", import.meta.url);

/** Where each agent finds the hooks of its plugin. */
const HOOKS = {
  claude: "plugins/claude-code/hooks/hooks.json",
  gemini: "plugins/gemini-cli/hooks/hooks.json",
} as const;

const MANIFESTS = ["plugins/claude-code/.claude-plugin/plugin.json", "plugins/gemini-cli/gemini-extension.json"];

/**
 * The files of the plugins that follow from something else: their hooks are the registrations that `checkpoint init
 * --project` writes, their version is the program's.
 */
export function pluginFiles(): readonly { readonly path: string; readonly text: string }[] {
  const { version } = JSON.parse(read("apps/cli/package.json")) as { version: string };
  return [
    ...(["claude", "gemini"] as const).map((agent) => ({ path: pathOf(HOOKS[agent]), text: hooksOf(agent) })),
    ...MANIFESTS.map((path) => ({
      path: pathOf(path),
      text: read(path).replace(/"version": "[^"]*"/, `"version": "${version}"`),
    })),
  ];
}

function hooksOf(agent: keyof typeof HOOKS): string {
  const settings = agentOf(agent);
  const command = (args: string) => projectCommand(settings.projectFolderWord, args);
  const plan = planRegistration(null, wantedHooks(settings, { command, version: null }));
  if (!plan.ok) throw new Error(`The hooks of ${agent} cannot be planned.`);
  return plan.text;
}

function read(path: string): string {
  return readFileSync(pathOf(path), "utf8");
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}
