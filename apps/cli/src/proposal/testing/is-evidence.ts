import type { Rules } from "@agent-checkpoint/categories";
import { proves } from "../../config/check-config.ts";

/** Whether a command line that succeeded proves the first step of an action. */
export function isEvidence({ actions }: Rules, id: string, command: string): boolean {
  return proves(command, actions.find((action) => action.id === id)?.steps[0]?.evidence ?? []);
}
