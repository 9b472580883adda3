import { join } from "node:path";
import { readHookTrust } from "./read-hook-trust.ts";

/** Whether our Stop hook in the user's `hooks.json` is one that the user has trusted. */
export function isHookTrusted(codexHome: string): boolean {
  const hooks = readHookTrust(join(codexHome, "hooks.json"), join(codexHome, "config.toml"));
  return hooks.some(({ event, trust }) => event === "Stop" && trust === "trusted");
}
