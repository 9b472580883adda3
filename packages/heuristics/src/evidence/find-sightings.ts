import type { Turn } from "../turn/read-turn.ts";
import { outcomeOf, type Sighting } from "./find-runs.ts";
import { matchesEvidence } from "./matches-evidence.ts";

/** The runs of one of the commands in the turn, wherever they ran, in order. */
export function findSightings(turn: Turn, commands: readonly string[]): readonly Sighting[] {
  return turn.calls.flatMap((call) =>
    call.commands
      .filter(({ argv }) => commands.some((wanted) => matchesEvidence(argv, wanted)))
      .map((command) => ({ call, command, outcome: outcomeOf(call, command) })),
  );
}
