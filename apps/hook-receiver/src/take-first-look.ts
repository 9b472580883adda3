import { takeBaseline } from "@agent-checkpoint/composer/baseline";
import type { Baseline } from "@agent-checkpoint/store";
import { keptRulesIn } from "./kept/kept-rules.ts";

/** What was dirty before a session, and whether a config had a part in that. */
export interface FirstLook {
  readonly baseline: Baseline | null;
  readonly hasConfig: boolean;
}

/** Looks at the files that a session begins with, by the rules of earlier events where they are known. */
export async function takeFirstLook(projectPath: string, home: string): Promise<FirstLook> {
  const keptRules = keptRulesIn(home);
  const baseline = await takeBaseline(projectPath, { home, keptRules });
  return { baseline, hasConfig: keptRules?.wasAsked() === true };
}
