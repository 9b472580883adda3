import type { Edit } from "jsonc-parser";
import { removeChild } from "../text/remove-child.ts";
import { propertyOf } from "./parse-settings.ts";
import type { LocatedHook } from "./read-registrations.ts";

/** The edits that take a hook out, with its group where the group holds no other. */
export function removeHook(text: string, { group, node }: LocatedHook): readonly Edit[] {
  const hooks = propertyOf(group, "hooks");
  const groups = group.parent;
  if (hooks === undefined || groups === undefined) return [];
  return hooks.children?.length === 1 ? removeChild(text, groups, group) : removeChild(text, hooks, node);
}
