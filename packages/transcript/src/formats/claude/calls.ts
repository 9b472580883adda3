import { basename } from "node:path";
import { lineText } from "./read-turn.ts";
import type { Collector, Format } from "../format.ts";
import { type Entry, readEntriesBackwards } from "../../read/backwards.ts";
import { dateAt, type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from "../../read/json.ts";
import {
  addCall,
  addOutcome,
  type Call,
  callsIn,
  type Collection,
  newCollection,
  type Outcome,
  pairCalls,
  readOutput,
} from "../../turn/calls.ts";
import type { ToolKind } from "../../types.ts";

/** Collects the calls of a Claude Code transcript. */
export const newCollector: Format["newCollector"] = (transcript, by): Collector => {
  const into: ClaudeCollection = { ...newCollection(), backgroundCalls: new Map(), taskEnds: new Map() };
  return {
    take: (entry) => collectLine(into, entry, isMainLine(transcript.path, entry.value) ? by : "subagent"),
    part: (range) => ({ records: pairCalls(callsIn(into, range), settledOutcomes(into)), starters: into.starters }),
  };
};

/** Whether a line belongs to the file's own thread: sub-agents of 1.0 wrote into the main file. */
export function isMainLine(path: string, line: JsonObject): boolean {
  return line["isSidechain"] !== true || basename(path).startsWith("agent-");
}

interface ClaudeCollection extends Collection {
  /** The calls that left a background task running, by the task's id. */
  readonly backgroundCalls: Map<string, string>;
  /** How background tasks ended, by the id of the call or of the task. */
  readonly taskEnds: Map<string, TaskEnd>;
}

function collectLine(into: ClaudeCollection, { offset, value: line }: Entry, by: Call["by"]): void {
  for (const block of objectsAt(objectAt(line, "message") ?? {}, "content").toReversed()) {
    const call = line["type"] === "assistant" ? parseCall(block, { line, offset, by }) : null;
    if (call !== null) addCall(into, call);
    if (line["type"] === "user") collectResult(into, block, line);
  }
  for (const end of parseTaskEnds(line)) {
    into.taskEnds.set(end.of, { ...end, ...into.taskEnds.get(end.of) });
  }
}

function collectResult(into: ClaudeCollection, block: JsonObject, line: JsonObject): void {
  const result = parseResult(block, line);
  if (result === null) return;
  addOutcome(into, result.callId, result.outcome, dateAt(line, "timestamp"));
  if (result.backgroundTask !== null) into.backgroundCalls.set(result.backgroundTask, result.callId);
  if (result.agentId !== null) into.starters.set(result.agentId, result.callId);
}

/** The outcomes, with those of background tasks that have ended since. */
function settledOutcomes({
  calls,
  outcomes,
  backgroundCalls,
  taskEnds,
}: ClaudeCollection): ReadonlyMap<string, Outcome> {
  const settled = new Map(outcomes);
  for (const [task, callId] of backgroundCalls) {
    const end = taskEnds.get(callId) ?? taskEnds.get(task);
    const outcome = outcomes.get(callId);
    if (end === undefined || outcome === undefined) continue;
    const output = end.output ?? taskEnds.get(task)?.output;
    const shown = output === undefined ? {} : readOutput(output);
    settled.set(callId, { ...outcome, hadError: end.hadError, exitCode: end.exitCode, ...shown });
  }
  // A look at a task is no run of its own: files may have changed since the run began.
  for (const { id, inputData } of calls.values()) {
    const task = textAt(inputData, "task_id") ?? textAt(inputData, "bash_id");
    const run = settled.get(backgroundCalls.get(task ?? "") ?? "");
    const look = outcomes.get(id);
    if (look !== undefined && run !== undefined && run.reports.length > 0) settled.set(id, { ...look, reports: [] });
  }
  return settled;
}

/** The call that a `tool_use` block of an `assistant` line makes, null if the block is something else. */
export function parseCall(
  block: JsonObject,
  { line, offset, by }: { line: JsonObject; offset: number; by: Call["by"] },
): Call | null {
  const id = textAt(block, "id");
  const toolName = textAt(block, "name");
  if (block["type"] !== "tool_use" || id === null || toolName === null) return null;
  const inputData = objectAt(block, "input") ?? {};
  const kind = TOOL_KINDS.get(toolName) ?? "other";
  return {
    id,
    toolName,
    kind,
    inputData,
    command: kind === "shell" ? textAt(inputData, "command") : null,
    cwd: textAt(line, "cwd"),
    files: KINDS_WITH_FILES.has(kind) ? filesNamed(inputData) : [],
    timestamp: dateAt(line, "timestamp"),
    by,
    offset,
  };
}

const KINDS_WITH_FILES: ReadonlySet<string> = new Set(["read", "edit", "write", "search"]);

function filesNamed(input: JsonObject): readonly string[] {
  return FILE_ARGUMENTS.map((argument) => textAt(input, argument)).filter((file) => file !== null);
}

/** A result with the id of its call, and of the background task that the call left running. */
export interface Result {
  readonly callId: string;
  readonly outcome: Outcome;
  readonly backgroundTask: string | null;
  /** The sub-agent that the call started. */
  readonly agentId: string | null;
}

/**
 * The outcome in a `tool_result` block.
 *
 * A command that went on in the background has neither failed nor succeeded yet, and one that was interrupted never did.
 */
export function parseResult(block: JsonObject, line: JsonObject): Result | null {
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
}

/** Whether a `user` line carries tool results. */
export function hasToolResult(line: JsonObject): boolean {
  return objectsAt(objectAt(line, "message") ?? {}, "content").some((block) => block["type"] === "tool_result");
}

/** The text of a `tool_result` block, whose content is a string or a list of blocks. */
function resultText(block: JsonObject): string {
  return (
    textAt(block, "content") ??
    objectsAt(block, "content")
      .map((part) => textAt(part, "text"))
      .filter((text) => text !== null)
      .join("\n")
  );
}

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
 * The exit code of a command, if its result shows it.
 *
 * Bash says `is_error: false` for success, where other tools say nothing. A `grep` that finds nothing counts as success
 * too, whatever its exit code.
 */
function exitCode({ failed, text, block, details }: ResultParts): number | null {
  if (failed) return numberOf(EXIT_CODE.exec(text)?.[1]);
  return block["is_error"] === false && !("returnCodeInterpretation" in details) ? 0 : null;
}

interface ResultParts {
  readonly failed: boolean;
  readonly text: string;
  readonly block: JsonObject;
  readonly details: JsonObject;
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

function changedFiles(details: JsonObject): readonly string[] {
  const diff = objectAt(details, "bashEditDiff");
  return diff === null ? [] : textsAt(diff, "changedFiles");
}

/** How a background task ended. */
export interface TaskEnd {
  /** The id of the task, or of the call that started it. */
  readonly of: string;
  readonly hadError: boolean;
  readonly exitCode: number | null;
  /** What it printed, if the line shows it. */
  readonly output?: string | undefined;
}

/**
 * The ends of background tasks that a line reports.
 *
 * Claude Code says so in a `<task-notification>`, which is a `user` line, a queued attachment or a queue operation,
 * and in the result of `TaskOutput`.
 */
export function parseTaskEnds(line: JsonObject): readonly TaskEnd[] {
  const fromOutput = taskOutputEnd(line);
  if (fromOutput !== null) return [fromOutput];
  return [...elements(notificationText(line), "task-notification")].flatMap((content) => notificationEnds(content));
}

function notificationText(line: JsonObject): string {
  if (line["type"] === "user") return lineText(line);
  const attachment = objectAt(line, "attachment");
  return (attachment === null ? textAt(line, "content") : textAt(attachment, "prompt")) ?? "";
}

function notificationEnds(notification: string): readonly TaskEnd[] {
  const code = /(?:\(exit code (\d+)\)|with exit code (\d+))\.?$/.exec(element(notification, "summary") ?? "");
  const end = endOf(element(notification, "status"), code === null ? null : Number(code[1] ?? code[2]));
  if (end === null) return [];
  const ids = [element(notification, "tool-use-id"), element(notification, "task-id")];
  return ids.filter((id) => id !== null).map((of) => ({ of, ...end }));
}

function element(text: string, name: string): string | null {
  return elements(text, name).next().value ?? null;
}

/** The contents of the elements of a name, each up to the first end; a pattern would be quadratic. */
function* elements(text: string, name: string): Generator<string, undefined, undefined> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  let end = 0;
  for (;;) {
    const start = text.indexOf(open, end);
    end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return undefined;
    yield text.slice(start + open.length, end);
  }
}

/** `TaskOutput` reports on a task, `BashOutput` of 2.0 on a shell. */
function taskOutputEnd(line: JsonObject): TaskEnd | null {
  const result = objectAt(line, "toolUseResult") ?? {};
  const task = objectAt(result, "task") ?? result;
  const of = textAt(task, "task_id") ?? textAt(task, "shellId");
  const end = of === null ? null : endOf(textAt(task, "status"), numberAt(task, "exitCode"));
  if (of === null || end === null) return null;
  const shown = ["output", "stdout", "stderr"].map((key) => textAt(task, key)).filter((text) => text !== null);
  return { of, ...end, ...(shown.length === 0 ? {} : { output: shown.join("\n") }) };
}

/** A task that is still running, or that was stopped, has neither failed nor succeeded. */
function endOf(status: string | null, exitCode: number | null): Pick<TaskEnd, "hadError" | "exitCode"> | null {
  if (status !== "completed" && status !== "failed") return null;
  return { hadError: exitCode === null ? status === "failed" : exitCode !== 0, exitCode };
}

/** What each of Claude Code's own tools does; the rest, MCP tools among them, is `other`. */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>(
  Object.entries({
    Bash: "shell",
    PowerShell: "shell",
    Read: "read",
    NotebookRead: "read",
    Edit: "edit",
    MultiEdit: "edit",
    NotebookEdit: "edit",
    Write: "write",
    Grep: "search",
    Glob: "search",
    LS: "search",
    Agent: "agent",
    Task: "agent",
  }),
);

/** The arguments that name a file, for the kinds that have one. */
export const FILE_ARGUMENTS: readonly string[] = ["file_path", "notebook_path", "path"];

/** Yields the lines of a Claude Code transcript backwards. */
export const readEntries: Format["readEntries"] = ({ file }, tally, range) => readEntriesBackwards(file, tally, range);
