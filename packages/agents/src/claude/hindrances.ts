import { join } from "node:path";
import type { Hindrance, SettingsPlace } from "../agent-settings.ts";
import { readJsonObject } from "../read-json-object.ts";

/** What Claude Code's settings say that keeps its hooks from running. */
export function hindrances(place: SettingsPlace): readonly Hindrance[] {
  return SWITCHES.flatMap(({ fileOf, key }) => {
    const file = fileOf(place);
    if (readJsonObject(file)[key] !== true) return [];
    return [
      {
        id: "hooks-off",
        file,
        what: `\`${key}\` is true: Claude Code runs none of these hooks.`,
        fix: file === MANAGED_FILE ? "Ask whoever manages this machine." : `Take \`${key}\` out of that file.`,
      },
    ];
  });
}

const MANAGED_FILE =
  process.platform === "darwin"
    ? "/Library/Application Support/ClaudeCode/managed-settings.json"
    : "/etc/claude-code/managed-settings.json";

/** The files that can switch hooks off, and the key that does it. */
const SWITCHES: readonly { readonly fileOf: (place: SettingsPlace) => string; readonly key: string }[] = [
  {
    fileOf: ({ env, userHome }) => join(env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude"), "settings.json"),
    key: "disableAllHooks",
  },
  { fileOf: ({ projectRoot }) => join(projectRoot, ".claude", "settings.json"), key: "disableAllHooks" },
  { fileOf: ({ projectRoot }) => join(projectRoot, ".claude", "settings.local.json"), key: "disableAllHooks" },
  { fileOf: () => MANAGED_FILE, key: "disableAllHooks" },
  { fileOf: () => MANAGED_FILE, key: "allowManagedHooksOnly" },
];
