import { join } from "node:path";
import type { AgentSettings } from "../agent-settings.ts";
import { hindrances } from "./hindrances.ts";

/** Claude Code. */
export const claude: AgentSettings = {
  agent: "claude",
  title: "Claude Code",
  program: "claude",
  packageName: "@anthropic-ai/claude-code",
  homeFolder,
  settingsFile: (scope, place) =>
    scope === "user" ? join(homeFolder(place), "settings.json") : join(place.projectRoot, ".claude", "settings.json"),
  // Before 2.1.120 a single event that Claude Code does not know makes it drop the whole file, without a word.
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: "1.0.54" },
    { name: "Stop", kind: "stop", since: "1.0.38" },
  ],
  gateEvent: { name: "PreToolUse", since: "1.0.128", matcher: "Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell" },
  // From this version on an event that Claude Code does not know is harmless.
  compactionEvent: { name: "PreCompact", since: "2.1.120" },
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  // The hook's own folder follows the agent's `cd`.
  projectFolderWord: `"\${CLAUDE_PROJECT_DIR:-.}"`,
  hindrances,
  nextSteps: () => [],
};

function homeFolder({ env, userHome }: Parameters<AgentSettings["homeFolder"]>[0]): string {
  return env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude");
}
