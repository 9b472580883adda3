import { type JsonObject, objectAt, objectsAt, textAt, textsAt } from "../../read/json.ts";
import type { Outcome } from "../../turn/call.ts";
import { readOutput } from "../../turn/read-output.ts";

/** A result with the id of its call, and of the background task that the call left running. */
export interface Result {
  readonly callId: string;
  readonly outcome: Outcome;
  readonly backgroundTask: string | null;
  /** The sub-agent that the call started. */
  readonly agentId: string | null;
}

/**
 * What a `tool_result` block says of its call.
 *
 * A command that went on in the background has neither failed nor succeeded yet, and one that was interrupted never did.
 */
export const parseResult = (block: JsonObject, line: JsonObject): Result | null => {
  const callId = textAt(block, "tool_use_id");
  if (block["type"] !== "tool_result" || callId === null) return null;
  const text = resultText(block);
  const details = objectAt(line, "toolUseResult") ?? {};
  const failed = block["is_error"] === true;
  const backgroundTask = failed ? null : (textAt(details, "backgroundTaskId") ?? BACKGROUND.exec(text)?.[1] ?? null);
  const isOpen = backgroundTask !== null || (!failed && details["interrupted"] === true);
  return {
    callId,
    backgroundTask,
    agentId: textAt(details, "agentId"),
    outcome: {
      hadError: isOpen ? null : failed,
      rejected: failed && REJECTIONS.some((opening) => text.startsWith(opening)),
      exitCode: isOpen ? null : exitCode({ failed, text, block, details }),
      ...readOutput(text),
      files: changedFiles(details),
    },
  };
};

/** Whether a `user` line carries tool results. */
export const hasToolResult = (line: JsonObject): boolean =>
  objectsAt(objectAt(line, "message") ?? {}, "content").some((block) => block["type"] === "tool_result");

/** The text of a `tool_result` block, whose content is a string or a list of blocks. */
const resultText = (block: JsonObject): string =>
  textAt(block, "content") ??
  objectsAt(block, "content")
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== null)
    .join("\n");

const BACKGROUND =
  /^Command (?:running in background with ID: |did not complete within its .* timeout and was moved to the background \(ID: )([\w-]+)/;

const REJECTIONS: readonly string[] = [
  "The user doesn't want to proceed with this tool use.",
  "The user doesn't want to take this action right now.",
  "[Request interrupted by user",
  "<tool_use_error>Cancelled: parallel tool call",
  "<tool_use_error>Sibling tool call errored",
];

const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;

/**
 * The exit code of a command, where its result tells.
 *
 * Bash says `is_error: false` for success, where other tools say nothing. A `grep` that finds nothing counts as success
 * too, whatever its exit code.
 */
const exitCode = ({ failed, text, block, details }: ResultParts): number | null => {
  if (failed) return numberOf(EXIT_CODE.exec(text)?.[1]);
  return block["is_error"] === false && !("returnCodeInterpretation" in details) ? 0 : null;
};

interface ResultParts {
  readonly failed: boolean;
  readonly text: string;
  readonly block: JsonObject;
  readonly details: JsonObject;
}

const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

const changedFiles = (details: JsonObject): readonly string[] => {
  const diff = objectAt(details, "bashEditDiff");
  return diff === null ? [] : textsAt(diff, "changedFiles");
};
