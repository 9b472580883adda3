import { findReports } from "@agent-checkpoint/reports";
import type { Outcome } from "./call.ts";
import { snippet } from "./snippet.ts";

/** What is remembered of a result's text: a snippet, and what test runners say in the whole of it. */
export const readOutput = (text: string): Pick<Outcome, "snippet" | "reports"> => {
  const reports = findReports(text);
  // Names in a report are parts of the text, and would keep all of it in memory.
  return { snippet: snippet(text), reports: reports.length === 0 ? reports : structuredClone(reports) };
};
