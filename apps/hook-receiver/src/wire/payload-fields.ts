import * as v from "valibot";
import type { ParsedEvent, Payload } from "./wire.ts";

/** A field that may be missing, null or a string; an empty string is as good as none. */
export const text: v.GenericSchema<unknown, string | null> = v.pipe(
  v.nullish(v.string(), null),
  v.transform((value) => (value === "" ? null : value)),
);

/** A field that may be missing or a boolean. */
export const flag: v.GenericSchema<unknown, boolean> = v.nullish(v.boolean(), false);

/** Checks a payload against its schema and turns it into an event. */
export function parsePayload<Output>(
  schema: v.GenericSchema<unknown, Output>,
  payload: Payload,
  toEvent: (fields: Output) => ParsedEvent,
): ParsedEvent {
  const result = v.safeParse(schema, payload, { abortEarly: true });
  if (result.success) return toEvent(result.output);
  const [issue] = result.issues;
  return { ok: false, detail: `${v.getDotPath(issue) ?? "payload"}: ${issue.message}` };
}
