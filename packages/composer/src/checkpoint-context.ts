import { realpathSync } from "node:fs";
import type { Rules } from "@agent-checkpoint/categories";
import type { CheckpointContext } from "@agent-checkpoint/heuristics";
import type { AgentName } from "@agent-checkpoint/transcript";
import { readPlan } from "./rules/read-plan.ts";

/** What is known of a stop before the repository is looked at. */
export interface ContextFacts {
  readonly agentName: AgentName;
  readonly rules: Rules;
  readonly configFile: string | null;
  readonly workingSlug: string | null;
  readonly promptAt?: Date | null | undefined;
  /** When the turn stopped; the present where it is not given. */
  readonly now?: Date | undefined;
}

/** What the verdict on a stop in a repository depends on, with what is read from the repository for it. */
export function checkpointContext(root: string, facts: ContextFacts): CheckpointContext {
  return {
    projectPath: root,
    projectAliases: aliasesOf(root),
    agentName: facts.agentName,
    rules: facts.rules,
    configFile: facts.configFile,
    workingSlug: facts.workingSlug,
    plan: readPlan(root, facts.workingSlug),
    promptAt: facts.promptAt,
    now: facts.now ?? new Date(),
  };
}

function aliasesOf(root: string): readonly string[] {
  try {
    const real = realpathSync(root);
    return real === root ? [] : [real];
  } catch {
    return [];
  }
}
