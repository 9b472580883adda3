import { createHash } from "node:crypto";

/** A hook as `hooks.json` defines it. */
export type HookDefinition = Readonly<Record<string, unknown>>;

/**
 * The hash that Codex keeps of a trusted hook's definition; the event is named as in `stop` or `user_prompt_submit`.
 * It covers these fields with their defaults; neither other fields nor the group's matcher, which these events have no
 * use for.
 */
export function definitionHash(
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
