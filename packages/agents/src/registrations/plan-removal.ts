import { applyEdits } from "jsonc-parser";
import { BYTE_ORDER_MARK, parseSettings } from "./parse-settings.ts";
import { locateHooks, toRegistration } from "./read-registrations.ts";
import type { Registration, SettingsProblem } from "./registration.ts";
import { removeHook } from "./remove-hook.ts";

/** The text of a settings file without our hooks, or why there is none. */
export type RemovalPlan =
  | {
      readonly ok: true;
      readonly text: string;
      readonly removed: readonly Registration[];
      /** Hooks that call our program by a command of the person's own; they stay. */
      readonly leftAlone: readonly Registration[];
      /** Whether nothing but an empty object is left. */
      readonly isEmpty: boolean;
    }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** Takes exactly what `init` wrote out of the text of a settings file. */
export function planRemoval(text: string): RemovalPlan {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  let planned = text.slice(mark.length);
  const removed: Registration[] = [];
  for (;;) {
    const parsed = parseSettings(planned);
    if (!parsed.ok) return parsed;
    const hooks = parsed.root === null ? [] : locateHooks(parsed.root);
    const registrations = hooks.map((hook) => toRegistration(hook, planned));
    // The last first: what was added last is taken out first.
    const index = registrations.findLastIndex(({ call }) => call?.isWrittenByInit === true);
    const [hook, registration] = [hooks[index], registrations[index]];
    if (hook === undefined || registration === undefined) {
      const leftAlone = registrations.filter(({ isOurs }) => isOurs);
      return { ok: true, text: mark + planned, removed: removed.toReversed(), leftAlone, isEmpty: isEmpty(planned) };
    }
    removed.push(registration);
    planned = applyEdits(planned, [...removeHook(planned, hook)]);
  }
}

function isEmpty(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}
