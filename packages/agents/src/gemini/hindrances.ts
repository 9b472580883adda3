import { join } from "node:path";
import type { Hindrance, SettingsPlace } from "../agent-settings.ts";
import { asObject, readJsonObject } from "../read-json-object.ts";
import { readHookCall } from "../registrations/read-hook-call.ts";
import { folderTrust } from "./folder-trust.ts";

/** The name of our hooks; Gemini CLI's list of disabled hooks goes by it. */
export const HOOK_NAME = "agent-checkpoint";

/** What Gemini CLI's settings say that keeps its hooks from running. */
export function hindrances(place: SettingsPlace): readonly Hindrance[] {
  const home = join(place.env["GEMINI_CLI_HOME"] || place.userHome, ".gemini");
  const files = new Set([join(home, "settings.json"), join(place.projectRoot, ".gemini", "settings.json")]);
  return [...[...files].flatMap(switchedOff), ...untrusted(home, place)];
}

function switchedOff(file: string): readonly Hindrance[] {
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

/** A hook goes by its name there, or by its command where it has none. */
function namesOurHook(entry: unknown): boolean {
  return entry === HOOK_NAME || (typeof entry === "string" && readHookCall(entry) !== null);
}

function untrusted(home: string, place: SettingsPlace): readonly Hindrance[] {
  const { file, trust } = folderTrust(home, place);
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
