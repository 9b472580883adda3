import type { Turn } from "../turn/read-turn.ts";
import type { Sighting } from "./find-runs.ts";
import { findSightings } from "./find-sightings.ts";

/** What the turn shows of a command: that it succeeded in time, or why what was seen does not count. */
export type Evidence =
  | { readonly status: "absent" }
  | {
      readonly status: "found" | "stale" | "failed" | "masked" | "unfinished" | "empty";
      readonly sighting: Sighting;
    };

/** Looks for a successful run of one of the commands in the project, later than `after`. */
export function findEvidence(turn: Turn, commands: readonly string[], after: number): Evidence {
  return latestOf(
    findSightings(turn, commands).filter(({ command }) => command.isInProject),
    after,
  );
}

/** The evidence among runs of the same thing: the latest success counts, and without one the latest run tells why not. */
export function latestOf(sightings: readonly Sighting[], after: number): Evidence {
  const good = sightings.findLast(({ outcome }) => outcome === "succeeded");
  if (good) return { status: good.command.order >= after ? "found" : "stale", sighting: good };
  const last = sightings.at(-1);
  if (last === undefined || last.outcome === "succeeded") return { status: "absent" };
  return { status: last.outcome, sighting: last };
}
