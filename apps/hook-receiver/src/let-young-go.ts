import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import type { StopEvent } from "@agent-checkpoint/gate";
import { passYoung } from "@agent-checkpoint/gate/pass-young";
import type { HookPlace } from "./hook-place.ts";
import { userHome } from "./is-flagged-autonomous.ts";
import { type HookKeptRules, keptRulesIn } from "./kept/kept-rules.ts";

/** Whether a stop was let go, and the rules that were found on the way. */
export interface YoungStop {
  readonly isGone: boolean;
  readonly keptRules: HookKeptRules | undefined;
}

/** Lets a stop go whose turn has just begun, by the rules of earlier events where they are known. */
export async function letYoungGo(event: StopEvent, place: HookPlace, env: NodeJS.ProcessEnv): Promise<YoungStop> {
  const keptRules = keptRulesIn(place.home);
  const isGone = await passYoung(event, { ...place, keptRules }, ({ mode }) =>
    isAutonomous({ env, userHome: userHome(env), mode }),
  );
  return { isGone, keptRules };
}
