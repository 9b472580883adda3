import { redact } from "./redact.ts";
import { REDACTED } from "./redacted.ts";

/** A value as JSON holds it, with the secrets taken out of every string and name in it. */
export function redactJson(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactJson);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactField(name, item)]));
}

/** A string under the name of a secret is one, whatever it looks like; a path is no such name. */
function redactField(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !MAY_NAME_A_SECRET.test(name)) return redactJson(value);
  const field = `"${name}":${JSON.stringify(value)}`;
  const clean = redact(field);
  if (clean === field) return redact(value);
  try {
    return Object.values(JSON.parse(`{${clean}}`) as object)[0];
  } catch {
    return REDACTED;
  }
}

/** What the name of a secret has in it: the rest of the tables need not be tried, nor their patterns compiled. */
const MAY_NAME_A_SECRET = /^(?=[\w-]*(?:pass|pwd|secret|token|key|credential|auth|cookie|sig))[\w-]+$/i;
