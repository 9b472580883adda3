import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";

/**
 * Whether our Stop hook in `hooks.json` is one that the user has trusted.
 * Codex keeps a hash of each trusted definition under the file's path and the hook's place in it; we only compare, and
 * never write one.
 */
export function isHookTrusted(codexHome: string): boolean {
  const file = join(codexHome, "hooks.json");
  const groups = stopGroups(readJson(file));
  const trusted = trustedHashes(join(codexHome, "config.toml"));
  return groups.some((group, groupIndex) =>
    hooksOf(group).some((hook, hookIndex) => {
      const command = hook["command"];
      if (typeof command !== "string" || !command.includes("checkpoint-hook")) return false;
      return trusted.get(`${file}:stop:${groupIndex}:${hookIndex}`) === definitionHash(hook);
    }),
  );
}

type Json = Record<string, unknown>;

/**
 * The hash that Codex keeps of a Stop hook's definition.
 * It covers these fields with their defaults; neither other fields nor the group's matcher, which a Stop has no use for.
 */
export function definitionHash({ type, command, timeout = 600, async: isAsync = false, statusMessage }: Json): string {
  const definition = { event_name: "stop", hooks: [{ type, command, timeout, async: isAsync, statusMessage }] };
  return `sha256:${createHash("sha256")
    .update(JSON.stringify(sorted(definition)))
    .digest("hex")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function stopGroups(config: Json | null): readonly Json[] {
  const hooks = config?.["hooks"] as Json | undefined;
  const groups = hooks?.["Stop"];
  return Array.isArray(groups) ? (groups as Json[]) : [];
}

function hooksOf(group: Json): readonly Json[] {
  return Array.isArray(group["hooks"]) ? (group["hooks"] as Json[]) : [];
}

function trustedHashes(configFile: string): ReadonlyMap<string, string> {
  try {
    const config = parse(readFileSync(configFile, "utf8")) as {
      hooks?: { state?: Record<string, { trusted_hash?: unknown }> };
    };
    const entries = Object.entries(config.hooks?.state ?? {});
    return new Map(
      entries.flatMap(([key, { trusted_hash }]) => (typeof trusted_hash === "string" ? [[key, trusted_hash]] : [])),
    );
  } catch {
    return new Map();
  }
}

function readJson(path: string): Json | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}
