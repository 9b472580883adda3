import { getNodeValue, type Node } from "jsonc-parser";
import { parseSettings, positionAt, propertyOf } from "./parse-settings.ts";
import { readHookCall } from "./read-hook-call.ts";
import type { Registration, SettingsProblem } from "./registration.ts";

/** The hooks of a settings file, or why they cannot be told. */
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

/** The hooks in the tree of a settings file; what has another shape is nobody's hook. */
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
