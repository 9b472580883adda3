import { CHECK_IDS, type Rules } from "./types.ts";

/** The modes of a rule, from the loudest to the most silent. */
export const RULE_MODES = ["require", "advise", "shadow", "off"] as const;

/**
 * How loud a rule is: `require` may block, `advise` is said only if something else blocks, `shadow` is judged and
 * recorded but never said, `off` is not looked at. A rule is an action or a check, by its id.
 */
export type RuleMode = (typeof RULE_MODES)[number];

/** The mode of every rule for one agent; `moved` are those that the program has moved, which a person's word overrules. */
export function modesOf(
  rules: Rules,
  agent: string | null = null,
  moved: Readonly<Record<string, RuleMode>> = {},
): Readonly<Record<string, RuleMode>> {
  const given = (id: string): RuleMode | undefined => {
    const mode = own(rules.modes, id);
    return (typeof mode === "object" ? own(mode, agent ?? "") : mode) ?? own(moved, id);
  };
  return Object.fromEntries([
    ...rules.actions.map(({ id }) => [id, given(id) ?? "require"]),
    ...CHECK_IDS.map((id) => [id, rules.checks[id] ? (given(id) ?? modeOfCheck(id, rules)) : "off"]),
  ]);
}

/** An id may be a name that every object has. */
function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** What the message says of an open action is no reason of its own. */
function modeOfCheck(id: (typeof CHECK_IDS)[number], { hygieneBlocks }: Rules): RuleMode {
  if (id === "failed-command") return "require";
  return hygieneBlocks && id !== "verification-gap" ? "require" : "advise";
}
