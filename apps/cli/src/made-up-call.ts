import type { ToolCallRecord } from "@agent-checkpoint/transcript";

/** A call that succeeded and did nothing, to ask the heuristics about calls that no agent has made. */
export const MADE_UP_CALL: ToolCallRecord = {
  id: "made-up",
  toolName: "made-up",
  kind: "shell",
  inputData: {},
  command: null,
  cwd: null,
  files: [],
  hadError: false,
  hasResult: true,
  rejected: false,
  exitCode: 0,
  resultSnippet: "",
  reports: [],
  timestamp: null,
  endedAt: null,
  by: "main",
};
