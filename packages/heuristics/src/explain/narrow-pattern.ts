import { matchesAny } from "@agent-checkpoint/categories";

const ALTERNATIVES = /\{([^{}]*,[^{}]*)\}/;

/** A pattern with the alternatives that a file did not need taken out: `*.{js,ts}` met by `a.ts` is `*.ts`. */
export function narrowPattern(pattern: string, file: string): string {
  const group = ALTERNATIVES.exec(pattern);
  if (group === null) return pattern;
  const [text, list = ""] = group;
  const narrowed = list
    .split(",")
    .map((word) => pattern.replace(text, () => word))
    .find((candidate) => matchesAny(file, [candidate]));
  return narrowed === undefined ? pattern : narrowPattern(narrowed, file);
}
