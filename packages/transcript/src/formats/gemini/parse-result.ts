import { type JsonObject, objectAt, objectsAt, textAt } from "../../read/json.ts";
import { type Outcome, readOutput } from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/**
 * What became of a call, or null while that is not known.
 *
 * A failed command says `success`: only its trailer tells.
 */
export function parseResult(toolCall: JsonObject, kind: ToolKind): Outcome | null {
  const text = resultText(toolCall);
  const status = textAt(toolCall, "status");
  if (status === "error") return { hadError: true, rejected: false, exitCode: null, ...readOutput(text) };
  if (status === "cancelled") return { hadError: false, rejected: true, exitCode: null, ...readOutput(text) };
  if (status !== "success") return null;
  if (kind !== "shell") return { hadError: false, rejected: false, exitCode: null, ...readOutput(text) };
  return { ...shellOutcome(text), rejected: false, ...readOutput(text) };
}

function resultText(toolCall: JsonObject): string {
  return objectsAt(toolCall, "result")
    .map((part) => objectAt(objectAt(part, "functionResponse") ?? {}, "response") ?? {})
    .map((response) => textAt(response, "output") ?? textAt(response, "error") ?? "")
    .join("\n");
}

const BACKGROUND = /^(?:<untrusted_context>\s*)?Command moved to background/;
const CLOSING = /\s*(?:<\/untrusted_context>\s*)?$/;
/** Every line that can stand after a command's output; the output itself may imitate them. */
const TRAILER = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/;
const TRAILER_LENGTH = 4096;
const NONE: ReadonlySet<string> = new Set(["0", "(none)"]);

function shellOutcome(text: string): Pick<Outcome, "hadError" | "exitCode"> {
  if (BACKGROUND.test(text)) return { hadError: null, exitCode: null };
  const found = new Map<string, string>();
  for (const line of text.slice(-TRAILER_LENGTH).replace(CLOSING, "").split("\n").toReversed()) {
    const [, name, value = ""] = TRAILER.exec(line.trimEnd()) ?? [];
    if (name === undefined || found.has(name)) break;
    found.set(name, value);
    // The exit code is the trailer's first line: what looks like one above it is the command's own output.
    if (name === "Exit Code") break;
  }
  const signal = found.get("Signal") ?? "0";
  const code = found.get("Exit Code") ?? "0";
  if (!NONE.has(signal)) return { hadError: true, exitCode: null };
  return { hadError: !NONE.has(code), exitCode: /^-?\d+$/.test(code) ? Number(code) : null };
}
