import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";

/** Whether Codex runs a hook: never seen by the user, changed since it was trusted, trusted but switched off, or trusted. */
export type HookTrust = "untrusted" | "changed" | "off" | "trusted";

/** A hook of ours in a `hooks.json`. */
export interface CodexHook {
  /** The event's name as the file has it: `Stop`. */
  readonly event: string;
  readonly groupIndex: number;
  readonly hookIndex: number;
  readonly command: string;
  readonly trust: HookTrust;
}

/**
 * Our hooks in a `hooks.json`, and whether Codex runs them.
 * Codex keeps a hash of each trusted definition in its `config.toml`, under the file's path, the event and the hook's
 * place; we only compare, and never write one.
 */
export function readHookTrust(hooksFile: string, configFile: string): readonly CodexHook[] {
  const states = readStates(configFile);
  const names = [hooksFile, realPath(hooksFile)];
  return ownHooks(readJson(hooksFile)).map(({ event, groupIndex, hookIndex, command, definition }) => {
    const name = snakeCase(event);
    const state = names.map((file) => states.get(`${file}:${name}:${groupIndex}:${hookIndex}`)).find(Boolean);
    return { event, groupIndex, hookIndex, command, trust: trustOf(state, definitionHash(name, definition)) };
  });
}

interface HookState {
  readonly trusted_hash?: unknown;
  readonly enabled?: unknown;
}

function trustOf(state: HookState | undefined, hash: string): HookTrust {
  if (typeof state?.trusted_hash !== "string") return "untrusted";
  if (state.trusted_hash !== hash) return "changed";
  return state.enabled === false ? "off" : "trusted";
}

interface PlacedHook extends Omit<CodexHook, "trust"> {
  readonly definition: HookDefinition;
}

function ownHooks(config: unknown): readonly PlacedHook[] {
  return Object.entries(recordOf(recordOf(config)["hooks"])).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, groupIndex) =>
      listOf(recordOf(group)["hooks"]).flatMap((hook, hookIndex) => {
        const definition = recordOf(hook);
        const { command } = definition;
        if (typeof command !== "string" || !command.includes("checkpoint-hook")) return [];
        return [{ event, groupIndex, hookIndex, command, definition }];
      }),
    ),
  );
}

function readStates(configFile: string): ReadonlyMap<string, HookState> {
  try {
    const config = recordOf(parse(readFileSync(configFile, "utf8")));
    return new Map(
      Object.entries(recordOf(recordOf(config["hooks"])["state"])).map(([key, state]) => [key, recordOf(state)]),
    );
  } catch {
    return new Map();
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** `UserPromptSubmit` as `user_prompt_submit`. */
function snakeCase(event: string): string {
  return event.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the user has trusted our Stop hook in their `hooks.json`. */
export function isHookTrusted(codexHome: string): boolean {
  const hooks = readHookTrust(join(codexHome, "hooks.json"), join(codexHome, "config.toml"));
  return hooks.some(({ event, trust }) => event === "Stop" && trust === "trusted");
}

/** A hook as `hooks.json` defines it. */
type HookDefinition = Readonly<Record<string, unknown>>;

/**
 * The hash that Codex keeps of a trusted hook's definition; the event is named as in `stop` or `user_prompt_submit`.
 * It covers these fields with their defaults; neither other fields nor the group's matcher, which these events have no
 * use for.
 */
function definitionHash(
  event: string,
  { type, command, timeout = 600, async: isAsync = false, statusMessage }: HookDefinition,
): string {
  const definition = { event_name: event, hooks: [{ async: isAsync, command, statusMessage, timeout, type }] };
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
