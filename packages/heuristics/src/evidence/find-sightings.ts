import type { PlacedCommand, Turn, TurnCall } from "../turn/read-turn.ts";
import { matchesEvidence } from "./matches-evidence.ts";
import { type Outcome, outcomeOf } from "./outcome-of.ts";

/** A command of the turn that a rule asks for, and what became of it. */
export interface Sighting {
  readonly call: TurnCall;
  readonly command: PlacedCommand;
  readonly outcome: Outcome;
}

/** The runs of one of the commands in the turn, wherever they ran, in order. */
export function findSightings(turn: Turn, commands: readonly string[]): readonly Sighting[] {
  return turn.calls.flatMap((call) =>
    call.commands
      .filter(({ argv }) => commands.some((wanted) => matchesEvidence(argv, wanted)))
      .map((command) => ({ call, command, outcome: outcomeOf(call, command) })),
  );
}
