import { fail, type Finding, warn } from "../finding.ts";
import type { AgentCase } from "./agent-case.ts";

/** Whether something in the agent's settings keeps our hooks from running. */
export function checkHindrances({ hooks, hindrances }: AgentCase): readonly Finding[] {
  if (hooks.length === 0) return [];
  return hindrances.map(({ id, file, what, fix }) =>
    // A folder that nobody was asked about yet is asked about at the next start.
    id === "folder-not-yet-trusted" ? warn(what, fix) : fail(`${file}: ${what}`, fix),
  );
}
