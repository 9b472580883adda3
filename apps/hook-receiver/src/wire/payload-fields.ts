import type { ParsedEvent, Payload } from "./wire.ts";

/**
 * What a field of a payload may hold, and how it is read; undefined where it holds something else.
 * A library for this would take as long to load and run as all else that a stop needs that passes by its flag.
 */
interface Field<Output> {
  readonly expected: string;
  readonly read: (value: unknown) => Output | undefined;
}

/** The fields of an agent's payloads, by name. */
type Fields<Output> = { readonly [Name in keyof Output]: Field<Output[Name]> };

/** A field that has to be a string. */
export const name: Field<string> = {
  expected: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
};

/** A field that may be missing, null or a string; an empty string is as good as none. */
export const text: Field<string | null> = {
  expected: "a string",
  read: (value) => (value === undefined || value === null || value === "" ? null : name.read(value)),
};

/** A field that may be missing, null or a boolean. */
export const flag: Field<boolean> = {
  expected: "true or false",
  read: (value) => (value === undefined || value === null ? false : typeof value === "boolean" ? value : undefined),
};

/** A field that may hold anything. */
export const anything: Field<{ readonly value: unknown }> = {
  expected: "anything",
  read: (value) => ({ value }),
};

/** A field that may be missing, null or a list of objects, of which the field of one name is wanted. */
export function listOf<Output>(key: string, { expected, read }: Field<Output>): Field<readonly Output[]> {
  return {
    expected: `a list of objects with ${expected} as ${key}`,
    read: (value) => {
      if (value === undefined || value === null) return [];
      if (!Array.isArray(value)) return undefined;
      const items = value.map((item: unknown) =>
        typeof item === "object" && item !== null ? read((item as Payload)[key]) : undefined,
      );
      return items.every((item): item is Awaited<Output> => item !== undefined) ? items : undefined;
    },
  };
}

/** Reads the fields of a payload and turns them into an event. */
export function parsePayload<Output extends object>(
  fields: Fields<Output>,
  payload: Payload,
  toEvent: (fields: Output) => ParsedEvent,
): ParsedEvent {
  const found: Partial<Output> = {};
  for (const key of Object.keys(fields) as (keyof Output & string)[]) {
    const { expected, read } = fields[key];
    const value = read(Object.hasOwn(payload, key) ? payload[key] : undefined);
    if (value === undefined)
      return { ok: false, detail: `${key}: expected ${expected}, found ${kindOf(payload[key])}` };
    found[key] = value;
  }
  return toEvent(found as Output);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
