import { applyEdits, type Edit, getNodeValue, type Node } from "jsonc-parser";
import { appendChild, type Layout, readLayout, removeChild, renderFile } from "./json-text.ts";
import {
  BYTE_ORDER_MARK,
  NOUNS,
  parseSettings,
  positionAt,
  propertyOf,
  type SettingsProblem,
} from "./parse-settings.ts";
import {
  type HookCall,
  type LocatedHook,
  locateHooks,
  readHookCall,
  readRegistrations,
  type Registration,
  type RegistrationsResult,
  toRegistration,
} from "./registrations.ts";

/** How our hooks are written: among the settings of an agent, or as a file of our own, such as a plugin. */
export interface HooksForm {
  /** The text with the wanted hooks; null stands for a file that does not exist. */
  readonly plan: (text: string | null, wanted: readonly WantedHook[]) => RegistrationPlan;
  /** The text without them. */
  readonly planRemoval: (text: string) => RemovalPlan;
  readonly read: (text: string) => RegistrationsResult;
}

/** A hook that a settings file is to have. */
export interface WantedHook {
  readonly event: string;
  /** The tools that the hook is called for; none for all of them, and for events without tools. */
  readonly matcher?: string;
  /** The arguments of our program: a hook of ours with the same ones is the same hook. */
  readonly args: string;
  /** What is written. */
  readonly hook: {
    readonly name?: string;
    readonly type: "command";
    readonly command: string;
    readonly timeout: number;
  };
}

/** What happens to one wanted hook. */
export interface HookChange {
  readonly event: string;
  /**
   * `kept`: it is registered already. `updated`: it had another path or timeout. `duplicate-removed`: it was registered
   * more than once. `left-alone`: the user calls our program by a command of their own.
   */
  readonly kind: "added" | "updated" | "duplicate-removed" | "kept" | "left-alone";
}

/** The text of a settings file with the wanted hooks, or why there is none. */
export type RegistrationPlan =
  | { readonly ok: true; readonly text: string; readonly changes: readonly HookChange[] }
  | { readonly ok: false; readonly problem: SettingsProblem };

/**
 * Merges hooks into the text of a settings file; null stands for a file that does not exist.
 * Comments, order, indentation and the hooks of others stay unchanged; an existing hook is not written again.
 */
export function planRegistration(text: string | null, wanted: readonly WantedHook[]): RegistrationPlan {
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  let planned = (text ?? "").slice(mark.length);
  const changes: HookChange[] = [];
  for (const hook of wanted) {
    // What is added and not known again would be added over and over.
    if (readHookCall(hook.hook.command)?.args !== hook.args) throw new Error(`not our command: ${hook.hook.command}`);
    for (;;) {
      const step = nextStep(planned, hook);
      if (!step.ok) return step;
      changes.push(...step.kinds.map((kind) => ({ event: hook.event, kind })));
      if (step.text === planned) break;
      planned = step.text;
    }
  }
  return { ok: true, text: mark + planned, changes: changes.filter(isWorthTelling) };
}

type Step =
  | { readonly ok: true; readonly text: string; readonly kinds: readonly HookChange["kind"][] }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** One step towards a hook; an unchanged text means that the hook is in place. */
function nextStep(text: string, wanted: WantedHook): Step {
  const parsed = parseSettings(text);
  if (!parsed.ok) return parsed;
  const { root } = parsed;
  if (root === null) {
    return { ok: true, text: renderFile({ hooks: { [wanted.event]: [groupOf(wanted)] } }), kinds: ["added"] };
  }
  const groups = groupsOf(root, wanted.event);
  if (groups !== undefined && groups.type !== "array") {
    const expected = `\`hooks.${wanted.event}\` to be a list`;
    const found = NOUNS[groups.type] ?? groups.type;
    return { ok: false, problem: { ...positionAt(text, groups.offset), expected, found } };
  }
  const [first, second] = hooksLike(root, wanted).filter(({ call }) => call.isWrittenByInit);
  if (second !== undefined) return applied(text, removeHook(text, second.hook), "duplicate-removed");
  const layout = readLayout(text);
  if (first !== undefined) {
    const edits = correct(text, first.hook.node, { wanted, layout });
    return edits.length === 0 ? { ok: true, text, kinds: ["kept"] } : applied(text, edits, "updated");
  }
  if (hooksLike(root, wanted).length > 0) return { ok: true, text, kinds: ["left-alone"] };
  return applied(text, addGroup(text, root, { wanted, layout }), "added");
}

interface OwnHook {
  readonly hook: LocatedHook;
  readonly call: HookCall;
}

/** The hooks of an event that call our program with the same arguments as the wanted one. */
function hooksLike(root: Node, wanted: WantedHook): readonly OwnHook[] {
  return locateHooks(root).flatMap((hook) => {
    const command: unknown = propertyOf(hook.node, "command")?.value;
    const call = hook.event === wanted.event && typeof command === "string" ? readHookCall(command) : null;
    return call !== null && call.args === wanted.args ? [{ hook, call }] : [];
  });
}

function addGroup(
  text: string,
  root: Node,
  { wanted, layout }: { readonly wanted: WantedHook; readonly layout: Layout },
): readonly Edit[] {
  const hooks = propertyOf(root, "hooks");
  const group = groupOf(wanted);
  if (hooks === undefined) {
    return appendChild(text, root, { child: { key: "hooks", value: { [wanted.event]: [group] } }, layout });
  }
  const groups = groupsOf(root, wanted.event);
  return groups === undefined
    ? appendChild(text, hooks, { child: { key: wanted.event, value: [group] }, layout })
    : appendChild(text, groups, { child: { key: null, value: group }, layout });
}

/** Corrects what differs in a hook of ours, one value at a time; a longer timeout is the user's choice. */
function correct(
  text: string,
  node: Node,
  { wanted, layout }: { readonly wanted: WantedHook; readonly layout: Layout },
): readonly Edit[] {
  for (const [key, value] of Object.entries(wanted.hook)) {
    const there = propertyOf(node, key);
    if (there === undefined) return appendChild(text, node, { child: { key, value }, layout });
    const found: unknown = getNodeValue(there);
    const isRight = key === "timeout" ? typeof found === "number" && found >= wanted.hook.timeout : found === value;
    if (!isRight) return [{ offset: there.offset, length: there.length, content: JSON.stringify(value) }];
  }
  return [];
}

function groupsOf(root: Node, event: string): Node | undefined {
  const hooks = propertyOf(root, "hooks");
  return hooks === undefined ? undefined : propertyOf(hooks, event);
}

function groupOf({ hook, matcher }: WantedHook): object {
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
}

function applied(text: string, edits: readonly Edit[], kind: HookChange["kind"]): Step {
  return { ok: true, text: applyEdits(text, [...edits]), kinds: [kind] };
}

/** That a hook was there already is worth reporting only if nothing else was done about it. */
function isWorthTelling(change: HookChange, index: number, all: readonly HookChange[]): boolean {
  const earlier = all.slice(0, index).filter(({ event }) => event === change.event);
  return change.kind === "kept" ? earlier.length === 0 : !earlier.some(({ kind }) => kind === change.kind);
}

/** The text of a settings file without our hooks, or why there is none. */
export type RemovalPlan =
  | {
      readonly ok: true;
      readonly text: string;
      readonly removed: readonly Registration[];
      /** Hooks that call our program by a command of the user's own; they stay. */
      readonly leftAlone: readonly Registration[];
      /** Whether nothing but an empty object is left. */
      readonly isEmpty: boolean;
    }
  | { readonly ok: false; readonly problem: SettingsProblem };

/** Removes exactly what `init` wrote from the text of a settings file. */
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

/** The edits that remove a hook, with its group if the group has no other. */
function removeHook(text: string, { group, node }: LocatedHook): readonly Edit[] {
  const hooks = propertyOf(group, "hooks");
  const groups = group.parent;
  if (hooks === undefined || groups === undefined) return [];
  return hooks.children?.length === 1 ? removeChild(text, groups, group) : removeChild(text, hooks, node);
}

/** The `hooks` of a JSON file in the nesting of Claude Code. */
export const HOOKS_IN_SETTINGS: HooksForm = { plan: planRegistration, planRemoval, read: readRegistrations };
