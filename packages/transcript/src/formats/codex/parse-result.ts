import { type JsonObject, numberAt, objectAt, objectsAt, parseObject, textAt } from "../../read/json.ts";
import { type Outcome, readOutput } from "../../turn/calls.ts";

/** A result, with the session of a command that is still running. */
export interface Result {
  readonly callId: string;
  readonly outcome: Outcome;
  readonly runningSession: string | null;
  /** The cell of a script that is still running. */
  readonly runningCell: string | null;
  /** The thread of the sub-agent that the call started. */
  readonly startedThread: string | null;
}

/** The outcome in an output item; null if the item is not an output. */
export function parseResult(item: JsonObject): Result | null {
  const callId = textAt(item, "call_id");
  if (callId === null || !OUTPUT_ITEMS.has(textAt(item, "type") ?? "")) return null;
  const text = outputText(item);
  const end = SHAPES.map((shape) => shape(text)).find((found) => found !== null) ?? SUCCESS;
  return {
    callId,
    runningSession: end.runningSession ?? null,
    runningCell: CELL.exec(text)?.[1] ?? null,
    startedThread: text.startsWith('{"agent_id"') ? textAt(parseObject(text) ?? {}, "agent_id") : null,
    outcome: {
      hadError: end.hadError,
      rejected: end.rejected ?? false,
      exitCode: end.exitCode ?? null,
      ...readOutput(textAt(parseObject(text) ?? {}, "output") ?? text),
    },
  };
}

const OUTPUT_ITEMS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);

interface End {
  readonly hadError: boolean | null;
  readonly exitCode?: number;
  readonly rejected?: boolean;
  readonly runningSession?: string;
}

const SUCCESS: End = { hadError: false };

function exited(code: number): End {
  return { hadError: code !== 0, exitCode: code };
}

/** The shapes of an output's end; the first that fits counts. An output that fits none is the plain answer of a tool. */
const SHAPES: readonly ((text: string) => End | null)[] = [
  // 0.39 to 0.6x, and apply_patch up to 0.125
  (text) => {
    const metadata = text.startsWith("{") ? objectAt(parseObject(text) ?? {}, "metadata") : null;
    const code = metadata === null ? null : numberAt(metadata, "exit_code");
    return code === null ? null : exited(code);
  },
  (text) => {
    const code = EXIT_CODE.exec(text)?.[1];
    return code === undefined ? null : exited(Number(code));
  },
  // From 0.118 on; a line with the command may come first.
  (text) => {
    const [, code, session] = PROCESS.exec(text) ?? [];
    if (code !== undefined) return exited(Number(code));
    return session === undefined ? null : { hadError: null, runningSession: session };
  },
  (text) => (CELL.test(text) ? { hadError: null } : null),
  // What a script prints of its last command may have the exit code in it.
  (text) => {
    const code = text.startsWith("Script completed") ? [...text.matchAll(PRINTED_CODE)].at(-1)?.[1] : undefined;
    return code === undefined ? null : { hadError: false, exitCode: Number(code) };
  },
  (text) => (ABORTED.test(text) ? { hadError: true, rejected: true } : null),
  (text) => (FAILURES.some((opening) => text.startsWith(opening)) ? { hadError: true } : null),
];

/** A patch that went through the shell has the shell's own header first. */
const EXIT_CODE = /^(?:Wall time: .*\nOutput:\n)?Exit code: (-?\d+)\n/;

const PROCESS =
  /^(?:Command: [\s\S]*?\n)?Chunk ID: .*\nWall time: .*\n(?:Process exited with code (-?\d+)|Process running with session ID (\d+))/;

const CELL = /^Script running with cell ID (\S+)/;

const PRINTED_CODE = /\bexit_code\\?"?:\s*(\d+)/g;

const ABORTED = /^(?:Wall time: .*\n)?aborted by user/;

const FAILURES: readonly string[] = [
  "apply_patch verification failed",
  "patch rejected",
  "Command blocked by PreToolUse hook",
  "failed to parse function arguments",
  "unsupported call",
  "unsupported custom tool call",
  "Script failed",
  "exec_command failed",
  "write_stdin failed",
  "execution error",
  "failed in sandbox",
  "command timed out",
];

function outputText(item: JsonObject): string {
  return (
    textAt(item, "output") ??
    objectsAt(item, "output")
      .map((part) => textAt(part, "text"))
      .filter((text) => text !== null)
      .map(unpacked)
      .join("\n")
  );
}

/** A script that prints the whole result of a command prints an object with the output in it. */
function unpacked(text: string): string {
  const result = text.startsWith("{") ? parseObject(text) : null;
  const output = result === null ? null : textAt(result, "output");
  return result === null || output === null ? text : `exit_code: ${numberAt(result, "exit_code")}\n${output}`;
}
