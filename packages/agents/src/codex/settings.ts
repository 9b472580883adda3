import { join } from "node:path";
import type { AgentSettings } from "../agent-settings.ts";
import { hindrances } from "./hindrances.ts";
import { nextSteps } from "./next-steps.ts";

/** Codex. */
export const codex: AgentSettings = {
  agent: "codex",
  title: "Codex",
  program: "codex",
  packageName: "@openai/codex",
  homeFolder,
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".codex"), "hooks.json"),
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: "0.124.0" },
    { name: "Stop", kind: "stop", since: "0.124.0" },
  ],
  // What a person has trusted is told by a hash, and whether a matcher is part of it is not known.
  gateEvent: { name: "PreToolUse", since: "0.125.0", matcher: null },
  compactionEvent: null,
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  // Its hooks run where the session was started, which may be deep in the repository.
  projectFolderWord: `"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"`,
  hindrances,
  nextSteps,
};

function homeFolder({ env, userHome }: Parameters<AgentSettings["homeFolder"]>[0]): string {
  return env["CODEX_HOME"] || join(userHome, ".codex");
}
