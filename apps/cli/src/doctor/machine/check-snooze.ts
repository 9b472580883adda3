import { type Finding, warn } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether a person has told the checkpoint to wait. */
export function checkSnooze({ store }: Machine): readonly Finding[] {
  const { contents } = store;
  if (contents === null || "fault" in contents) return [];
  return contents.snoozes.map(({ scope, until }) => {
    const where = scope.kind === "project" ? scope.projectPath : `${scope.agent} session ${scope.sessionId}`;
    return warn(`stops pass until ${until.toISOString()}: ${where}`, "End it there: checkpoint snooze --off");
  });
}
