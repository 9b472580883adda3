import { findReports } from "@agent-checkpoint/reports";
import type { ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";

/** A project at a neutral place, for tests. */
export const PROJECT = "/home/dev/project";

type Details = Partial<ToolCallRecord> & { readonly output?: string };

let calls = 0;

function call(toolName: string, { output = "", ...details }: Details): ToolCallRecord {
  calls += 1;
  return {
    id: `call-${calls}`,
    toolName,
    kind: "other",
    inputData: {},
    command: null,
    cwd: null,
    files: [],
    hadError: false,
    hasResult: true,
    rejected: false,
    exitCode: null,
    resultSnippet: output,
    reports: findReports(output),
    timestamp: null,
    endedAt: null,
    by: "main",
    ...details,
  };
}

/** A shell command that succeeded. */
export const shell = (command: string, details: Details = {}): ToolCallRecord =>
  call("Bash", { kind: "shell", command, exitCode: 0, ...details });

/** A shell command that failed. */
export const failed = (command: string, details: Details = {}): ToolCallRecord =>
  shell(command, { hadError: true, exitCode: 1, ...details });

/** A file read by the agent's tool. */
export const read = (file: string, details: Details = {}): ToolCallRecord =>
  call("Read", { kind: "read", files: [file], ...details });

/** A file edited by the agent's tool. */
export const edit = (file: string, details: Details = {}): ToolCallRecord =>
  call("Edit", { kind: "edit", files: [file], ...details });

/** A file written whole by the agent's tool. */
export const write = (file: string, details: Details = {}): ToolCallRecord =>
  call("Write", { kind: "write", files: [file], ...details });

/** A call of an unknown tool. */
export const other = (toolName: string, details: Details = {}): ToolCallRecord => call(toolName, details);

/** A turn with these calls, read completely. */
export const turnOf = (...toolCalls: ToolCallRecord[]): TurnTimeline => ({
  hasData: true,
  toolCalls,
  prompt: { offset: 0, digest: "0".repeat(16), timestamp: null, id: null },
  isWhole: true,
  skippedLines: 0,
  size: 0,
});

/** A missing transcript. */
export const NO_TRANSCRIPT: TurnTimeline = { hasData: false, toolCalls: [], reason: "missing" };
