import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Blocker, PersonalPlace, SettingsPlace } from "../agent.ts";
import { covers, folderRule, type FolderTrust } from "../folder-trust.ts";
import { asObject, readJsonObject } from "../json-file.ts";
import { onThisMachine, type Platform, settingsPayload } from "../settings/managed.ts";
import { HOOKS_IN_SETTINGS } from "../settings/plan.ts";
import { readHookCall } from "../settings/registrations.ts";
import { canary } from "./canary.ts";

/** The name of our hooks, which Gemini CLI's list of disabled hooks refers to. */
const HOOK_NAME = "agent-checkpoint";

/** The name of our extension, and of its folder. */
const EXTENSION = "agent-checkpoint";

/** The settings of whoever manages the machine, which overrule all others. */
const SYSTEM_FILE: Readonly<Record<Platform, string>> = {
  linux: "/etc/gemini-cli/settings.json",
  darwin: "/Library/Application Support/GeminiCli/settings.json",
  win32: String.raw`C:\ProgramData\gemini-cli\settings.json`,
};

/** Gemini CLI. */
export const gemini: Agent = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  packageName: "@google/gemini-cli",
  environment: {
    signs: ["GEMINI_CLI"],
    // Only its hooks have it, its shell commands do not.
    session: "GEMINI_SESSION_ID",
    all: /^GEMINI_(?:SESSION_ID|PROJECT_DIR|CWD|PLANS_DIR|CLI)$/,
  },
  homeFolder,
  projectFolder: ".gemini",
  transcriptFolders: (home) => chatFolders(join(homeFolder(home), "tmp")),
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".gemini"), "settings.json"),
  hooksForm: HOOKS_IN_SETTINGS,
  settingsSyntax: { comments: true, trailingCommas: false, byteOrderMark: false },
  otherSettingsFiles: (place) => [...extensionFiles(place), systemFile(place)],
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
  versionProblem: () => null,
  blockers,
  trust: () => [],
  nextSteps: () => [],
  otherRoute: null,
  managed: {
    file: SYSTEM_FILE,
    otherWays: ["`GEMINI_CLI_SYSTEM_SETTINGS_PATH` names another file."],
    payload: settingsPayload,
    knownFrom: "a try with Gemini CLI 0.61.0. The file may hold other settings: merge this into it.",
  },
  canary,
};

function homeFolder({ env, userHome }: PersonalPlace): string {
  return join(env["GEMINI_CLI_HOME"] || userHome, ".gemini");
}

/** Gemini CLI keeps other files beside the chats of a project. */
function chatFolders(root: string): readonly string[] {
  try {
    return readdirSync(root).map((project) => join(root, project, "chats"));
  } catch {
    return [];
  }
}

/** The hooks of our extension, if it is installed and enabled for the project. */
function extensionFiles(place: SettingsPlace): readonly string[] {
  const extensions = join(homeFolder(place), "extensions");
  const { overrides } = asObject(readJsonObject(join(extensions, "extension-enablement.json"))[EXTENSION]);
  // Each rule is a folder with all below it, `!` switches off, and the last that covers the project decides.
  const rule = (Array.isArray(overrides) ? overrides : []).findLast(
    (entry) => typeof entry === "string" && covers(entry.replace(/^!/, "").replace(/\/\*$/, ""), place.projectRoot),
  ) as string | undefined;
  return rule?.startsWith("!") === true ? [] : [join(extensions, EXTENSION, "hooks", "hooks.json")];
}

function blockers(place: SettingsPlace): readonly Blocker[] {
  const own = [gemini.settingsFile("user", place), gemini.settingsFile("project", place)];
  const files = new Set([...own, systemFile(place)]);
  return [...[...files].flatMap(switchedOff), ...untrusted(place)];
}

function switchedOff(file: string): readonly Blocker[] {
  const { enabled, disabled } = asObject(readJsonObject(file)["hooksConfig"]);
  if (enabled === false) {
    const what = "`hooksConfig.enabled` is false: Gemini CLI runs no hooks.";
    return [{ id: "hooks-off", file, what, fix: "Set it to true, or take it out." }];
  }
  if (Array.isArray(disabled) && disabled.some(namesOurHook)) {
    const what = "`hooksConfig.disabled` names our hook: Gemini CLI does not run it.";
    return [{ id: "hook-disabled", file, what, fix: "Take it out of that list." }];
  }
  return [];
}

/** A hook is listed there by its name, or by its command if it has none. */
function namesOurHook(entry: unknown): boolean {
  return entry === HOOK_NAME || (typeof entry === "string" && readHookCall(entry) !== null);
}

function untrusted(place: SettingsPlace): readonly Blocker[] {
  const file = place.env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(homeFolder(place), "trustedFolders.json");
  const trust = folderTrust(file, place);
  if (trust === "trusted") return [];
  if (trust === "unknown") {
    const what = "Gemini CLI has not been told yet whether to trust this folder, and runs hooks only where it does.";
    const fix = 'Start `gemini` here once and choose "Trust folder".';
    return [{ id: "folder-not-yet-trusted", file, what, fix }];
  }
  const what = "Gemini CLI has been told not to trust this folder, and runs no hooks here.";
  const fix = "Start `gemini` here and change that with `/permissions`.";
  return [{ id: "folder-untrusted", file, what, fix }];
}

function folderTrust(file: string, place: SettingsPlace): FolderTrust {
  const { env, projectRoot } = place;
  const forced = env["GEMINI_CLI_TRUST_WORKSPACE"];
  if (env["GEMINI_RESTRICTED_MODE"] === "true" || forced === "false") return "untrusted";
  const security = asObject(readJsonObject(gemini.settingsFile("user", place))["security"]);
  if (forced === "true" || asObject(security["folderTrust"])["enabled"] === false) return "trusted";
  return folderRule(file, projectRoot);
}

function systemFile(place: SettingsPlace): string {
  return place.env["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] || onThisMachine(SYSTEM_FILE, place);
}
