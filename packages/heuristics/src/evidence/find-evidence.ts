import type { Turn } from "../turn/read-turn.ts";
import { matchesEvidence } from "./matches-evidence.ts";
import { outcomeOf } from "./outcome-of.ts";

/** What the turn shows of a command: that it succeeded in time, or why what was seen does not count. */
export type Evidence =
  | { readonly status: "found"; readonly order: number }
  | { readonly status: "absent" | "stale" | "failed" | "masked" | "unfinished" };

/** Looks for a successful run of one of the commands, later than `after`. The latest one counts. */
export function findEvidence(turn: Turn, commands: readonly string[], after: number): Evidence {
  const sightings = turn.calls.flatMap((call) =>
    call.commands
      .filter((command) => command.isInProject && commands.some((wanted) => matchesEvidence(command.argv, wanted)))
      .map((command) => ({ order: command.order, outcome: outcomeOf(call, command) })),
  );
  const good = sightings.findLast(({ outcome }) => outcome === "succeeded");
  if (good && good.order >= after) return { status: "found", order: good.order };
  if (good) return { status: "stale" };
  const last = sightings.at(-1);
  return { status: last === undefined || last.outcome === "succeeded" ? "absent" : last.outcome };
}
