import { join } from "node:path";
import type { Blocker, SettingsPlace } from "../agent.ts";
import { readJsonObject } from "../json-file.ts";
import { jsonFilesIn, type ManagedChannel, onThisMachine, registersUs, settingsPayload } from "../settings/managed.ts";
import { HOOKS_IN_SETTINGS } from "../settings/plan.ts";
import { switchedOff } from "../switched-off.ts";

const MANAGED_FOLDER = {
  linux: "/etc/claude-code",
  darwin: "/Library/Application Support/ClaudeCode",
  win32: String.raw`C:\Program Files\ClaudeCode`,
} as const;

/** Settings that nobody on the machine can overrule. */
export const CLAUDE_MANAGED: ManagedChannel = {
  file: {
    linux: `${MANAGED_FOLDER.linux}/managed-settings.d/agent-checkpoint.json`,
    darwin: `${MANAGED_FOLDER.darwin}/managed-settings.d/agent-checkpoint.json`,
    win32: String.raw`${MANAGED_FOLDER.win32}\managed-settings.d\agent-checkpoint.json`,
  },
  otherWays: [
    "Server-managed settings (claude.ai, Admin Settings, Claude Code, Managed settings) take the same keys; a user approves their hooks once.",
    "On macOS, MDM delivers them as preferences of com.anthropic.claudecode; on Windows, as the value Settings of HKLM\\SOFTWARE\\Policies\\ClaudeCode.",
  ],
  payload: settingsPayload,
  knownFrom: "a try with Claude Code 2.1.325 for the file, and its documentation for the other ways.",
};

/** The settings of whoever manages this machine: a file, the files of a folder, and the last copy of the server's. */
export function managedFiles(homeFolder: string, place: SettingsPlace): readonly string[] {
  const folder = onThisMachine(MANAGED_FOLDER, place);
  return [
    join(folder, "managed-settings.json"),
    ...jsonFilesIn(join(folder, "managed-settings.d")),
    join(homeFolder, "remote-settings.json"),
  ];
}

/** The switches by which a managed file silences the hooks of all others, and the value that does it. */
const MANAGED_ONLY: readonly { readonly key: string; readonly isOn: (value: unknown) => boolean }[] = [
  { key: "allowManagedHooksOnly", isOn: (value) => value === true },
  {
    key: "strictPluginOnlyCustomization",
    isOn: (value) => value === true || (Array.isArray(value) && value.includes("hooks")),
  },
];

/** The entries in these files that keep our hooks from running. */
export function managedBlockers(files: readonly string[]): readonly Blocker[] {
  const isManaged = registersUs(files, "Stop", HOOKS_IN_SETTINGS);
  return files.flatMap((file) => {
    const settings = readJsonObject(file);
    const found = [...switchedOff([file], { title: "Claude Code", fix: "Ask whoever manages this machine." })];
    for (const { key, isOn } of MANAGED_ONLY)
      if (!isManaged && isOn(settings[key]))
        found.push({
          id: "hooks-off",
          file,
          what: `\`${key}\` is set: Claude Code runs none of your own hooks, and none of the managed ones is ours.`,
          fix: "Ask whoever manages this machine to add what `checkpoint init --managed --agent claude` prints.",
        });
    return found;
  });
}
