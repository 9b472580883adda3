import type { Outcome, Place } from "@agent-checkpoint/gate";
import { asksForGate, projectRoot } from "./asks-for-gate.ts";
import { checkpointProgram } from "./checkpoint-program.ts";
import type { ToolEvent } from "./hook-event.ts";
import { userHome } from "./is-flagged-autonomous.ts";

/** What a call is judged in: the place of the event, and what the process was started with. */
export interface ToolPlace extends Pick<Place, "home" | "now" | "isCanary"> {
  readonly env: NodeJS.ProcessEnv;
}

/** A call of a tool: passed at once unless it changes something and the project asks for a checkpoint first. */
export async function handleTool(
  event: ToolEvent,
  place: ToolPlace,
  deny: (message: string) => void,
): Promise<Outcome> {
  const { target, tool, cwd } = event;
  const root = target === null || place.isCanary === true ? null : projectRoot(event.projectPath);
  if (target === null || root === null || !asksForGate(root, place.home)) return { problem: null };
  const [{ findRules }, { keptRulesIn }] = await Promise.all([
    import("@agent-checkpoint/composer/rules"),
    import("./kept/kept-rules.ts"),
  ]);
  const loaded = await findRules(root, place.home, keptRulesIn(place.home));
  if (!loaded.ok) return { problem: "the gate is open: the config cannot be used" };
  const { safety } = loaded.rules;
  if (safety?.gate !== true) return { problem: null };
  const { judgeCall } = await import("@agent-checkpoint/snapshots/gate");
  const verdict = await judgeCall(
    { tool, target },
    {
      cwd,
      root,
      home: place.home,
      userHome: userHome(place.env),
      freshMinutes: safety.freshMinutes,
      now: place.now,
      program: checkpointProgram(place.env),
    },
  );
  if (!verdict.allowed) deny(verdict.reason);
  return { problem: null };
}
