import { readFileSync, realpathSync } from "node:fs";
import { parse } from "smol-toml";
import { definitionHash, type HookDefinition } from "./definition-hash.ts";

/**
 * Whether Codex runs a hook: never seen by the user, changed since it was trusted, trusted but switched off, or trusted.
 */
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
