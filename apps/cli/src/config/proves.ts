import { findEvidence, readTurn } from "@agent-checkpoint/heuristics";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";

/** Whether a command line that ran and succeeded counts as evidence, as a stop would judge it. */
export function proves(commandLine: string, evidence: readonly string[]): boolean {
  const call: ToolCallRecord = { ...SUCCEEDED, command: commandLine };
  const timeline = { hasData: true, toolCalls: [call], prompt: null, isWhole: true, skippedLines: 0, size: 0 } as const;
  return findEvidence(readTurn(timeline, { projectPath: "/" }), evidence, 0).status === "found";
}

const SUCCEEDED: Omit<ToolCallRecord, "command"> = {
  id: "",
  toolName: "",
  kind: "shell",
  inputData: {},
  cwd: null,
  files: [],
  hadError: false,
  hasResult: true,
  rejected: false,
  exitCode: 0,
  resultSnippet: "",
  reports: [],
  timestamp: null,
  by: "main",
};
