import { join } from "node:path";
import type { Agent, Blocker, HooksFile, PersonalPlace, Problem, SettingsPlace } from "../agent.ts";
import { asObject, readJsonObject } from "../json-file.ts";
import { isAtLeast } from "../program/installed.ts";
import { HOOKS_IN_SETTINGS } from "../settings/plan.ts";
import { switchedOff } from "../switched-off.ts";
import { canary } from "./canary.ts";
import { CLAUDE_MANAGED, managedBlockers, managedFiles } from "./managed-settings.ts";

/** Claude Code. */
export const claude: Agent = {
  name: "claude",
  title: "Claude Code",
  program: "claude",
  packageName: "@anthropic-ai/claude-code",
  environment: {
    signs: ["CLAUDECODE"],
    session: "CLAUDE_CODE_SESSION_ID",
    all: /^(?:CLAUDE_PROJECT_DIR|CLAUDE_CODE_|CLAUDECODE$)/,
  },
  homeFolder,
  projectFolder: ".claude",
  transcriptFolders: (home) => [join(homeFolder(home), "projects")],
  settingsFile: (scope, place) =>
    scope === "user" ? join(homeFolder(place), "settings.json") : join(place.projectRoot, ".claude", "settings.json"),
  hooksForm: HOOKS_IN_SETTINGS,
  settingsSyntax: { comments: false, trailingCommas: false, byteOrderMark: true },
  otherSettingsFiles: (place) => [localFile(place), ...pluginFiles(place), ...managedFiles(homeFolder(place), place)],
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
  versionProblem,
  blockers,
  trust: () => [],
  nextSteps: () => [],
  otherRoute: null,
  managed: CLAUDE_MANAGED,
  canary,
};

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude");
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  return [claude.settingsFile("user", place), claude.settingsFile("project", place), localFile(place)];
}

/** What Claude Code's own `/hooks` writes for one person in one project. */
function localFile({ projectRoot }: SettingsPlace): string {
  return join(projectRoot, ".claude", "settings.local.json");
}

/**
 * The hooks of our plugin, if it is enabled here.
 * Of the person's settings, the project's and the person's for the project, the last that names a plugin decides.
 */
function pluginFiles(place: SettingsPlace): readonly string[] {
  const enabled = Object.assign(
    {},
    ...settingsFiles(place).map((file) => asObject(readJsonObject(file)["enabledPlugins"])),
  ) as Readonly<Record<string, unknown>>;
  const installed = asObject(readJsonObject(join(homeFolder(place), "plugins", "installed_plugins.json"))["plugins"]);
  return Object.keys(enabled)
    .filter((plugin) => plugin.startsWith("agent-checkpoint@") && enabled[plugin] === true)
    .flatMap((plugin) => [installed[plugin]].flat())
    .flatMap((copy) => {
      const { installPath, projectPath = place.projectRoot } = asObject(copy);
      const isHere = typeof installPath === "string" && projectPath === place.projectRoot;
      return isHere ? [join(installPath, "hooks", "hooks.json")] : [];
    });
}

/** The first version that ignores an event it does not know; older ones drop the whole file for it, silently. */
const TOLERANT_SINCE = "2.1.120";

const EVENTS_OF_OLD: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "Notification",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStop",
  "PreCompact",
]);

function versionProblem(version: string, files: readonly HooksFile[]): Problem | null {
  if (isAtLeast(version, TOLERANT_SINCE)) return null;
  for (const { path, registrations } of files) {
    const unknown = registrations.find(({ event }) => !EVENTS_OF_OLD.has(event));
    if (unknown !== undefined) {
      return {
        what: `${version} drops all of ${path}, because it does not know the event ${unknown.event}`,
        fix: `Update Claude Code to ${TOLERANT_SINCE} or newer, or take that event out.`,
      };
    }
  }
  return null;
}

function blockers(place: SettingsPlace): readonly Blocker[] {
  return [
    ...switchedOff(settingsFiles(place), { title: "Claude Code" }),
    ...managedBlockers(managedFiles(homeFolder(place), place)),
  ];
}
