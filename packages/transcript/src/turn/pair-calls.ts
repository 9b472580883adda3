import type { ToolCallRecord, ToolKind } from "../types.ts";
import type { Call, Outcome } from "./call.ts";

/** Joins calls with their outcomes by id, whatever the order of their lines, and keeps the order of the calls. */
export const pairCalls = (calls: readonly Call[], outcomes: ReadonlyMap<string, Outcome>): readonly ToolCallRecord[] =>
  calls.map((call) => pairCall(call, outcomes.get(call.id)));

/** What these kinds of calls show is text of files, not the end of a run. */
const WITHOUT_REPORTS: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "write", "search"]);

const pairCall = (call: Call, outcome: Outcome | undefined): ToolCallRecord => ({
  id: call.id,
  toolName: call.toolName,
  kind: call.kind,
  inputData: call.inputData,
  command: call.command,
  cwd: call.cwd,
  files: [...new Set([...call.files, ...(outcome?.files ?? [])])],
  hadError: outcome?.hadError ?? null,
  hasResult: outcome !== undefined,
  rejected: outcome?.rejected ?? false,
  exitCode: call.kind === "shell" ? (outcome?.exitCode ?? null) : null,
  resultSnippet: outcome?.snippet ?? "",
  reports: WITHOUT_REPORTS.has(call.kind) ? [] : (outcome?.reports ?? []),
  timestamp: call.timestamp,
  by: call.by,
});
