/** The list of strings in a JSON column; empty where somebody has spoiled it. */
export function parseStrings(text: string): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The record of strings in a JSON column; null where there is none. */
export function parseRecord(text: string | null): Record<string, string> | null {
  const value = text === null ? null : parseJson(text);
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The value of a JSON column; null where somebody has spoiled it. */
export function parseJson(text: string): unknown {
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
