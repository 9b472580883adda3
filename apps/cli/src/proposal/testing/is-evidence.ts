import type { Rules } from "@agent-checkpoint/categories";
import { proves } from "../../config/check-config.ts";

/** Whether a command line that succeeded proves the first step of an action; where that names no evidence, its own command. */
export function isEvidence({ actions }: Rules, id: string, command: string): boolean {
  const { run = "", evidence = [] } = actions.find((action) => action.id === id)?.steps[0] ?? {};
  return proves(command, evidence.length === 0 ? [run] : evidence);
}
