import { join } from "node:path";
import type { AgentSettings } from "../agent-settings.ts";
import { hindrances, HOOK_NAME } from "./hindrances.ts";

/** Gemini CLI. */
export const gemini: AgentSettings = {
  agent: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  packageName: "@google/gemini-cli",
  homeFolder,
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".gemini"), "settings.json"),
  events: [
    { name: "BeforeAgent", kind: "prompt", since: "0.26.0" },
    { name: "AfterAgent", kind: "stop", since: "0.26.0" },
  ],
  gateEvent: { name: "BeforeTool", since: "0.38.2", matcher: "replace|write_file|run_shell_command" },
  // Its `PreCompress` comes before every request, whether anything is compressed or not.
  compactionEvent: null,
  timeout: { value: 30_000, unit: "milliseconds" },
  hookName: HOOK_NAME,
  // Its hooks run in the project's folder. A variable would be filled in by Gemini CLI itself, without a shell's quoting.
  projectFolderWord: ".",
  hindrances,
  nextSteps: () => [],
};

function homeFolder({ env, userHome }: Parameters<AgentSettings["homeFolder"]>[0]): string {
  return join(env["GEMINI_CLI_HOME"] || userHome, ".gemini");
}
