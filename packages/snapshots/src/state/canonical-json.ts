import { SafetyError } from "../trouble.ts";

/** The one JSON text of a value: keys in order, no white space; what JSON cannot hold is refused. */
export function canonicalJson(value: unknown, key: string): string {
  const render = (current: unknown, around: readonly object[]): string => {
    if (current === null || typeof current === "boolean" || typeof current === "string") return JSON.stringify(current);
    if (typeof current === "number" && Number.isFinite(current)) return JSON.stringify(current);
    if (typeof current !== "object" || around.includes(current)) throw notJson(key, nameOf(current));
    const inner = [...around, current];
    if (Array.isArray(current)) return `[${current.map((item) => render(item, inner)).join(",")}]`;
    const prototype: unknown = Object.getPrototypeOf(current);
    if (prototype !== Object.prototype && prototype !== null) throw notJson(key, current.constructor.name);
    const fields = Object.entries(current).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${render(field, inner)}`).join(",")}}`;
  };
  return render(value, []);
}

function notJson(key: string, found: string): SafetyError {
  return new SafetyError(
    "bad-input",
    `The value of \`state:${key}\` holds ${found}, which JSON cannot.`,
    "Give the adapter plain objects, lists, strings, finite numbers, booleans and null.",
  );
}

function nameOf(value: unknown): string {
  return typeof value === "object" ? "a circle" : typeof value === "number" ? String(value) : `a ${typeof value}`;
}
