/** A snapshot command as it was given, for the audit; where it happens and how it prints is not part of it. */
export function commandLine(name: string, words: readonly string[], flags: object): string {
  const given = Object.entries(flags).filter(([flag]) => !UNSAID.has(flag));
  return ["checkpoint snapshot", name, ...words, ...given.flatMap(([flag, value]) => sayFlag(flag, value))].join(" ");
}

const UNSAID: ReadonlySet<string> = new Set(["root", "store", "session", "json"]);

function sayFlag(flag: string, value: unknown): readonly string[] {
  const name = `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [name];
  if (typeof value === "string") return [name, value];
  return Array.isArray(value) ? [name, ...value.map(String)] : [];
}
