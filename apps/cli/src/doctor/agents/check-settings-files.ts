import { fail, type Finding } from "../finding.ts";
import type { AgentCase } from "./agent-case.ts";

/** Whether the agent can read its own settings: one that cannot be parsed runs no hooks, mostly without a word. */
export function checkSettingsFiles({ files, settings }: AgentCase): readonly Finding[] {
  return files.flatMap(({ path, problem }) => {
    if (problem === null) return [];
    const fix = `Correct it; until then ${settings.title} may run none of its hooks.`;
    if (typeof problem === "string") return [fail(`${path} cannot be read: ${problem}`, fix)];
    const { line, column, expected, found } = problem;
    return [fail(`${path}:${line}:${column}: expected ${expected}, found ${found}`, fix)];
  });
}
