import { join } from "node:path";
import type { Agent, PersonalPlace, SettingsPlace } from "../agent.ts";
import { projectTrust } from "../folder-trust.ts";
import { readJsonObject } from "../json-file.ts";
import { REPOSITORY_WORD } from "../program/hook-command.ts";
import { settingsPayload } from "../settings/managed.ts";
import { HOOKS_IN_SETTINGS } from "../settings/plan.ts";
import { switchedOff } from "../switched-off.ts";
import { canary } from "./canary.ts";

/** A file of our own in a folder whose files are all read. */
const FILE = join("hooks", "agent-checkpoint.json");

/** Copilot CLI. */
export const copilot: Agent = {
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  packageName: "@github/copilot",
  environment: {
    signs: ["COPILOT_CLI"],
    session: "COPILOT_AGENT_SESSION_ID",
    all: /^COPILOT_(?:AGENT_SESSION_ID|CLI(?:_BINARY_VERSION|_RESOLVED_DIST_DIR)?|PROJECT_DIR|HOOK_DIR|LOADER_PID)$/,
  },
  homeFolder,
  projectFolder: ".github",
  transcriptFolders: (home) => [join(homeFolder(home), "session-state")],
  settingsFile: (scope, place) => join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".github"), FILE),
  hooksForm: HOOKS_IN_SETTINGS,
  settingsSyntax: { comments: false, trailingCommas: false, byteOrderMark: false },
  // In a trusted folder it runs the hooks of Claude Code's project settings too.
  otherSettingsFiles: ({ projectRoot }) =>
    ["settings.json", "settings.local.json"].map((name) => join(projectRoot, ".claude", name)),
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: "1.0.21" },
    { name: "Stop", kind: "stop", since: "1.0.21" },
  ],
  gateEvent: { name: "PreToolUse", since: "1.0.102", matcher: null },
  compactionEvent: { name: "PreCompact", since: "1.0.102" },
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  projectFolderWord: REPOSITORY_WORD,
  versionProblem: () => null,
  blockers: (place) =>
    switchedOff(
      ["settings.json", "config.json"].map((name) => join(homeFolder(place), name)),
      { title: "Copilot CLI" },
    ),
  trust: (files, place) =>
    projectTrust(files, place, {
      isTrusted: isTrusted(place),
      title: "Copilot CLI",
      fix: "Start copilot in it once and trust the folder.",
    }),
  nextSteps: (file, place) =>
    file === copilot.settingsFile("project", place) && !isTrusted(place)
      ? ["Start `copilot` here once and trust the folder. Until you do, it skips a project's hooks without a word."]
      : [],
  otherRoute: null,
  managed: {
    file: null,
    otherWays: [
      "Copilot CLI reads policy hooks, which run in every folder and cannot be switched off, from a folder that its documentation names (hooks reference, policy hooks): put this there as agent-checkpoint.json.",
    ],
    payload: settingsPayload,
    knownFrom: "Copilot CLI's documentation; it was not tried.",
  },
  canary,
};

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["COPILOT_HOME"] || join(userHome, ".copilot");
}

function isTrusted(place: SettingsPlace): boolean {
  const { trustedFolders } = readJsonObject(join(homeFolder(place), "config.json"));
  return Array.isArray(trustedFolders) && trustedFolders.some((folder) => folder === place.projectRoot);
}
