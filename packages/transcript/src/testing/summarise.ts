import type { ToolCallRecord } from "../types.ts";

/** A call in one line: what it did and what became of it, a sub-agent's after an arrow. */
export const summarise = (call: ToolCallRecord): string =>
  [call.by === "subagent" ? "> " : "", `${call.kind} ${subject(call)}: ${end(call)}`].join("");

const subject = ({ command, files, toolName }: ToolCallRecord): string =>
  [command ?? (files.length === 0 ? toolName : ""), ...files].filter((word) => word !== "").join(" ");

const end = ({ rejected, hasResult, hadError, exitCode }: ToolCallRecord): string => {
  if (!hasResult) return "no result";
  const outcome = hadError === null ? "unknown" : hadError ? "failed" : "ok";
  return [rejected ? "rejected" : outcome, exitCode ?? ""].join(" ").trim();
};
