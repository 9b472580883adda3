import { describeProblem } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { fail, type Finding, ok } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether the rules of this folder can be used. */
export function checkConfig({ root, home }: Machine): readonly Finding[] {
  const loaded = loadRules(root, home);
  if (!loaded.ok)
    return loaded.problems.map((problem) =>
      fail(describeProblem(problem), "Correct it; until then stops bring this instead of a checklist."),
    );
  const from = loaded.configFile ?? "no checkpoint.config.json here";
  return [ok(`${from}, preset ${loaded.rules.preset}`)];
}
