import { inlineCode } from "../inline-code.ts";
import type { Check } from "./check.ts";

/**
 * An edit to a file the agent has not looked at in this turn.
 * Writing a whole file is not editing it, and leaves its contents known; so does reading it in the shell.
 */
export const editWithoutRead: Check = ({ turn }) => {
  const known = new Set<string>();
  const blind = new Map<string, number[]>();
  for (const { number, record, reads, writes } of turn?.calls ?? []) {
    if (record.hadError === true || record.rejected) continue;
    for (const { file } of writes)
      if (record.kind === "edit" && !known.has(file)) blind.set(file, [...(blind.get(file) ?? []), number]);
    for (const { file } of [...reads, ...writes]) known.add(file);
  }
  return [...blind].map(([file, calls]) => ({
    check: "edit-without-read",
    text: `${inlineCode(file)} was edited without being read this turn.`,
    isFailure: false,
    calls,
  }));
};
