import type { SaveRules } from "@agent-checkpoint/categories";
import { SAVE_DEFAULTS } from "@agent-checkpoint/categories/defaults";
import { findRules } from "@agent-checkpoint/composer/rules";
import { findGitRoot } from "@agent-checkpoint/git";
import { journalStop, pendingPrompt } from "@agent-checkpoint/store/files";
import { reasonToPass } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";
import { stopRow } from "./stop-row.ts";
import { trailOf } from "./trail-of.ts";
import { turnNamesAtStop } from "./turn-names.ts";

/** Where the prompt is older, the rules are not worth reading for this: a longer timer is told by the store as well. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Lets the stop of a turn go that is younger than the timer, and says whether it did; the store is not opened for it.
 *
 * The prompt that still waits in the journal is the proof: nobody has judged a stop of its turn yet, so there was no block,
 * and whatever else the store may know, it would let the stop go as well.
 */
export async function passYoung(
  event: StopEvent,
  place: Place,
  isAutonomous: (rules: SaveRules) => boolean,
): Promise<boolean> {
  const { agent, home, now, keptRules } = place;
  const { sessionId, projectPath } = event;
  // A canary is to show that the store works.
  if (sessionId === null || place.isCanary === true) return false;
  const prompt = pendingPrompt(home, { agent, sessionId });
  if (prompt === null || now.getTime() - prompt.at.getTime() >= LONGEST_WAIT_MS) return false;
  const [turn] = turnNamesAtStop(event, { currentTurn: prompt.turn });
  if (turn === undefined || turn !== prompt.turn) return false;
  const loaded = await findRules(findGitRoot(projectPath) ?? projectPath, home, keptRules);
  if (!loaded.ok || isAutonomous(loaded.rules.save ?? SAVE_DEFAULTS)) return false;
  const { timerSeconds } = loaded.rules;
  const { at: promptAt } = prompt;
  const unknown = { wasBlocked: false, isSnoozed: false, checkpointAt: null };
  if (reasonToPass({ event, ...unknown, promptAt, timerSeconds, now }) !== "timer") return false;
  journalStop(home, stopRow(event, place, { reason: "timer", turn, trail: trailOf(event, { promptAt }) }));
  return true;
}
