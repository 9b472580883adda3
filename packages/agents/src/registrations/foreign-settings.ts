import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { asObject } from "../read-json-object.ts";
import { readHookCall } from "./read-hook-call.ts";

/** Whether two texts of a settings file say the same about everything that is not ours. */
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
