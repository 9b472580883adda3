/** The replacement for a removed text. */
export const CUT = "[cut]";

/** Whether a text is too long to be anything but a vendor's prompt. */
export function isLong(text: unknown): text is string {
  return typeof text === "string" && text.length > 300;
}

/** Cuts every long text inside a value. */
export function cutLongStrings(value: unknown): unknown {
  if (isLong(value)) return CUT;
  if (Array.isArray(value)) return value.map(cutLongStrings);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutLongStrings(inner)]));
}
