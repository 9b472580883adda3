import { isDeepStrictEqual } from "node:util";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { getNodeValue, type Node, parse } from "jsonc-parser";
import { asObject } from "../json-file.ts";
import { parseHookCommand } from "../program/hook-command.ts";
import { parseSettings, positionAt, propertyOf, type SettingsProblem } from "./parse-settings.ts";

/** A hook that a settings file registers. */
export interface Registration {
  readonly event: string;
  /** Its place among the event's groups, and in its group. */
  readonly groupIndex: number;
  readonly hookIndex: number;
  /** The line that it begins on, counted from 1. */
  readonly line: number;
  readonly matcher: string | null;
  /** `command` for all of ours. */
  readonly type: string | null;
  /** The command line; null if there is none. */
  readonly command: string | null;
  /** The timeout in the agent's unit; null if there is none. */
  readonly timeout: number | string | null;
  readonly name: string | null;
  /** Whether the hook calls our program. */
  readonly isOurs: boolean;
  /** What our program is called with; null for a hook that is not ours. */
  readonly call: HookCall | null;
}

/** A command line that calls our program. */
export interface HookCall {
  /** The agent that it names; null if we do not know it. */
  readonly agent: AgentName | null;
  /** The arguments of the program, as they are written. */
  readonly args: string;
  /** Whether it has the form that `init` writes; anything else is a command of the person's own. */
  readonly isWrittenByInit: boolean;
  /** The node and the program that it names by absolute path; null if they come from the PATH, and no node for an executable. */
  readonly node: string | null;
  readonly program: string | null;
}

/** The hooks of a settings file, or why they cannot be read. */
export type RegistrationsResult =
  | { readonly ok: true; readonly registrations: readonly Registration[] }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** All hooks that a settings file registers, in the order of the file. */
export function readRegistrations(text: string): RegistrationsResult {
  const parsed = parseSettings(text.replace(/^\uFEFF/, " "));
  if (!parsed.ok) return parsed;
  if (parsed.root === null) return { ok: true, registrations: [] };
  return { ok: true, registrations: locateHooks(parsed.root).map((hook) => toRegistration(hook, text)) };
}

/** A hook in the tree of a settings file. */
export interface LocatedHook {
  readonly event: string;
  readonly groupIndex: number;
  readonly hookIndex: number;
  readonly group: Node;
  readonly node: Node;
}

/** The hooks in the tree of a settings file; what has another shape is no hook. */
export function locateHooks(root: Node): readonly LocatedHook[] {
  const events = propertyOf(root, "hooks")?.children ?? [];
  return events.flatMap(({ children }) => {
    const event = String(children?.[0]?.value);
    return (children?.[1]?.children ?? []).flatMap((group, groupIndex) => {
      const hooks = group.type === "object" ? propertyOf(group, "hooks") : undefined;
      return (hooks?.type === "array" ? (hooks.children ?? []) : []).flatMap((node, hookIndex) =>
        node.type === "object" ? [{ event, groupIndex, hookIndex, group, node }] : [],
      );
    });
  });
}

/** A hook in the tree as what it registers. */
export function toRegistration({ event, groupIndex, hookIndex, group, node }: LocatedHook, text: string): Registration {
  const command = stringOf(node, "command");
  const call = command === null ? null : readHookCall(command);
  const timeout: unknown = valueOf(node, "timeout");
  return {
    event,
    groupIndex,
    hookIndex,
    line: positionAt(text, node.offset).line,
    matcher: stringOf(group, "matcher"),
    type: stringOf(node, "type"),
    command,
    timeout: typeof timeout === "number" || typeof timeout === "string" ? timeout : null,
    name: stringOf(node, "name"),
    isOurs: call !== null,
    call,
  };
}

function stringOf(object: Node, key: string): string | null {
  const value = valueOf(object, key);
  return typeof value === "string" ? value : null;
}

function valueOf(object: Node, key: string): unknown {
  const node = propertyOf(object, key);
  return node === undefined ? undefined : (getNodeValue(node) as unknown);
}

/** What a command line calls our program with; null if it does not call it. */
export function readHookCall(command: string): HookCall | null {
  const [, args, agent] = CALL.exec(command) ?? [];
  if (args === undefined) return null;
  const written = parseHookCommand(command);
  return {
    agent: AGENT_NAMES.find((name) => name === agent) ?? null,
    args: written?.args ?? args,
    isWrittenByInit: written !== null,
    node: written?.paths?.node ?? null,
    program: written?.paths?.program ?? null,
  };
}

/** Our program, named alone or at the end of a path, with the agent among its arguments. */
const CALL =
  /(?:^|[\s/\\'"])checkpoint-hook(?:\.cjs|\.exe)?['"]?\s+([^;&|<>]*?--agent[\s=]+([\w-]+)[^;&|<>]*?)\s*(?:$|\d?[<>]|[;&|])/;

/** Whether two texts of a settings file agree on everything that is not ours. */
export function isSameForOthers(before: string, after: string): boolean {
  return isDeepStrictEqual(withoutOurs(before), withoutOurs(after));
}

/** The value of a settings file without our hooks, and without what holds nothing else. */
function withoutOurs(text: string): object {
  const value = asObject(parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }));
  const hooks = mapEntries(asObject(value["hooks"]), (groups) =>
    Array.isArray(groups) ? groups.map(groupWithoutOurs).filter((group) => group !== null) : groups,
  );
  return { ...value, hooks };
}

function groupWithoutOurs(group: unknown): unknown {
  const { hooks } = asObject(group);
  if (!Array.isArray(hooks)) return group;
  const foreign = hooks.filter((hook) => !isOurs(asObject(hook)["command"]));
  return foreign.length === 0 && hooks.length > 0 ? null : { ...asObject(group), hooks: foreign };
}

function isOurs(command: unknown): boolean {
  return typeof command === "string" && readHookCall(command)?.isWrittenByInit === true;
}

function mapEntries(object: object, change: (value: unknown) => unknown): object {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
}
