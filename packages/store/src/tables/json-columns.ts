/** The list of strings in a JSON column; empty if it is malformed. */
export function parseStrings(text: string): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The record of strings in a JSON column; null if there is none. */
export function parseRecord(text: string | null): Record<string, string> | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The value of a JSON column; null if it is empty or malformed. */
export function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a JSON value has fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The time in a column; null if there is none. */
export function dateOrNull(milliseconds: unknown): Date | null {
  return typeof milliseconds === "number" ? new Date(milliseconds) : null;
}
