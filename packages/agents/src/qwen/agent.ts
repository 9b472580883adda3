import { join } from "node:path";
import type { Agent, PersonalPlace, SettingsPlace } from "../agent.ts";
import { folderRule, projectTrust } from "../folder-trust.ts";
import { asObject, readJsonObject } from "../json-file.ts";
import { REPOSITORY_WORD } from "../program/hook-command.ts";
import { onThisMachine, type Platform, settingsPayload } from "../settings/managed.ts";
import { HOOKS_IN_SETTINGS } from "../settings/plan.ts";
import { switchedOff } from "../switched-off.ts";
import { canary } from "./canary.ts";

/** The settings of whoever manages the machine, which overrule all others. */
const SYSTEM_FILE: Readonly<Record<Platform, string>> = {
  linux: "/etc/qwen-code/settings.json",
  darwin: "/Library/Application Support/QwenCode/settings.json",
  win32: String.raw`C:\ProgramData\qwen-code\settings.json`,
};

/** Qwen Code. */
export const qwen: Agent = {
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  packageName: "@qwen-code/qwen-code",
  environment: {
    signs: ["QWEN_CODE"],
    session: "QWEN_CODE_SESSION_ID",
    all: /^QWEN_(?:PROJECT_DIR|CODE(?:_(?:SESSION_ID|PROMPT_ID|AGENT_ID|PROJECT_DIR|MODEL|MODEL_IDENTITY))?)$/,
  },
  homeFolder,
  projectFolder: ".qwen",
  transcriptFolders: (home) => [join(homeFolder(home), "projects")],
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".qwen"), "settings.json"),
  hooksForm: HOOKS_IN_SETTINGS,
  settingsSyntax: { comments: true, trailingCommas: false, byteOrderMark: false },
  otherSettingsFiles: (place) => [
    join(homeFolder(place), "extensions", "agent-checkpoint", "hooks", "hooks.json"),
    systemFile(place),
  ],
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: "0.15.10" },
    { name: "Stop", kind: "stop", since: "0.15.10" },
  ],
  gateEvent: { name: "PreToolUse", since: "0.24.4", matcher: "edit|write_file|run_shell_command" },
  compactionEvent: { name: "PreCompact", since: "0.24.4" },
  // The unit was milliseconds in versions up to 0.23.0; newer ones take large numbers for milliseconds.
  timeout: { value: 30_000, unit: "milliseconds" },
  hookName: "agent-checkpoint",
  projectFolderWord: REPOSITORY_WORD,
  versionProblem: () => null,
  blockers: (place) =>
    switchedOff([qwen.settingsFile("user", place), qwen.settingsFile("project", place), systemFile(place)], {
      title: "Qwen Code",
    }),
  trust: (files, place) =>
    projectTrust(files, place, {
      isTrusted: isTrusted(place),
      title: "Qwen Code",
      fix: "Start qwen in it once and trust the folder.",
    }),
  nextSteps: (file, place) =>
    file === qwen.settingsFile("project", place) && !isTrusted(place)
      ? ["Trust the folder when Qwen Code asks: without that it runs no hooks of a project."]
      : [],
  otherRoute: null,
  managed: {
    file: SYSTEM_FILE,
    otherWays: ["`QWEN_CODE_SYSTEM_SETTINGS_PATH` names another file."],
    payload: settingsPayload,
    knownFrom: "a try with Qwen Code 0.24.4. The file may hold other settings: merge this into it.",
  },
  canary,
};

/** It trusts every folder unless the person's settings tell it to ask. */
function isTrusted(place: SettingsPlace): boolean {
  const security = asObject(readJsonObject(qwen.settingsFile("user", place))["security"]);
  if (asObject(security["folderTrust"])["enabled"] !== true) return true;
  const file = place.env["QWEN_CODE_TRUSTED_FOLDERS_PATH"] || join(homeFolder(place), "trustedFolders.json");
  return folderRule(file, place.projectRoot) === "trusted";
}

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["QWEN_HOME"] || join(userHome, ".qwen");
}

function systemFile(place: SettingsPlace): string {
  return place.env["QWEN_CODE_SYSTEM_SETTINGS_PATH"] || onThisMachine(SYSTEM_FILE, place);
}
