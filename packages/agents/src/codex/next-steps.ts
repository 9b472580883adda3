import { join } from "node:path";
import type { SettingsPlace } from "../agent-settings.ts";
import { isAtLeast } from "../program/is-at-least.ts";
import { readHookTrust } from "./read-hook-trust.ts";

/** The first Codex that runs no hook before a person has trusted it. */
const GATED_SINCE = "0.129.0";

/** Codex runs a hook only after its user has looked at it; nothing of ours does that for them. */
export function nextSteps(file: string, { env, userHome }: SettingsPlace, version: string | null): readonly string[] {
  if (version !== null && !isAtLeast(version, GATED_SINCE)) return [];
  const config = join(env["CODEX_HOME"] || join(userHome, ".codex"), "config.toml");
  const hooks = readHookTrust(file, config);
  if (hooks.length > 0 && hooks.every(({ trust }) => trust === "trusted")) return [];
  return ['Start `codex`, choose "Review hooks" and trust them. Until you do, Codex skips them without a word.'];
}
