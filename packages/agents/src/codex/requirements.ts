import { parse, stringify } from "smol-toml";
import { asObject } from "../json-file.ts";
import type { ManagedChannel, Platform } from "../settings/managed.ts";
import { HOOKS_IN_SETTINGS, type HooksForm } from "../settings/plan.ts";

/** The file with an organization's requirements. */
export const REQUIREMENTS: Readonly<Record<Platform, string>> = {
  linux: "/etc/codex/requirements.toml",
  darwin: "/etc/codex/requirements.toml",
  win32: String.raw`C:\ProgramData\OpenAI\Codex\requirements.toml`,
};

/** Hooks that Codex runs without asking its user. */
export const CODEX_MANAGED: ManagedChannel = {
  file: REQUIREMENTS,
  otherWays: [
    "Cloud-managed requirements of ChatGPT Business or Enterprise take the same text.",
    "On macOS, MDM delivers it as `requirements_toml_base64` in the preferences of com.openai.codex.",
  ],
  payload: (hooks, programFolder) => {
    const events = [...new Set(hooks.map(({ event }) => event))].map((event) => [
      event,
      hooks
        .filter((one) => one.event === event)
        .map(({ matcher, hook }) => ({
          ...(matcher !== undefined && { matcher }),
          hooks: [hook],
        })),
    ]);
    // Codex skips managed hooks unless this folder is there.
    const folder = process.platform === "win32" ? "windows_managed_dir" : "managed_dir";
    return `${stringify({ hooks: { [folder]: programFolder, ...Object.fromEntries(events) } })}\n`;
  },
  knownFrom: "a try with Codex 0.166.0 for the file, and its documentation for the other ways.",
};

/** Hooks in `hooks.json`, and the same tables in a TOML file, which is only read. */
export const CODEX_HOOKS: HooksForm = {
  ...HOOKS_IN_SETTINGS,
  read: (text) => {
    const tables = /^\s*\{/.test(text) ? null : tablesIn(text);
    if (tables === null) return HOOKS_IN_SETTINGS.read(text);
    const read = HOOKS_IN_SETTINGS.read(JSON.stringify({ hooks: tables }));
    if (!read.ok) return read;
    const lines = text.split("\n");
    const lineOf = (event: string) => lines.findIndex((line) => line.trim() === `[[hooks.${event}.hooks]]`) + 1;
    return {
      ok: true,
      registrations: read.registrations.map((one) => ({ ...one, line: Math.max(1, lineOf(one.event)) })),
    };
  },
};

/** The events in a TOML text; null if it is not TOML, or empty. */
function tablesIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const { hooks } = parse(text);
    return Object.fromEntries(Object.entries(asObject(hooks)).filter(([, groups]) => Array.isArray(groups)));
  } catch {
    return null;
  }
}
