import { CUT, cutLongStrings } from "./cut.ts";

/** A line that says what it is. */
export interface TypedLine {
  readonly type?: string;
  readonly subtype?: string;
  readonly data?: object;
  readonly message?: { readonly role?: string };
}

/** Removes what Copilot CLI tells the model about itself, what it measured, and what its hooks were sent. */
export function cutCopilotLines(lines: readonly TypedLine[]): readonly unknown[] {
  return lines.map((line) => {
    switch (line.type) {
      case "system.message":
        return { ...line, data: { ...line.data, content: CUT } };
      case "session.shutdown":
        return { ...line, data: {} };
      case undefined:
      default:
        return line.data === undefined ? line : withShortStrings(line);
    }
  });
}

/** Removes what Qwen Code measured, and the copies of files that it keeps. */
export function cutQwenLines(lines: readonly TypedLine[]): readonly unknown[] {
  return lines.map((line) => (line.type === "system" ? withShortStrings(line) : line));
}

/** Removes what pi tells the model about itself. */
export function cutPiLines(lines: readonly TypedLine[]): readonly unknown[] {
  return lines.map((line) => {
    if (line.message?.role === "system") return { ...line, message: { role: "system", content: CUT } };
    return line.message === undefined ? withShortStrings(line) : line;
  });
}

/** A line with its long texts cut; the same line if it has none. */
function withShortStrings(line: TypedLine): unknown {
  const cut = cutLongStrings(line);
  return JSON.stringify(cut) === JSON.stringify(line) ? line : cut;
}
