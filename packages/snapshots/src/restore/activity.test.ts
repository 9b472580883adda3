import { expect, test } from "vitest";
import { type Activity, type Author, authorOf } from "./find-foreign.ts";

/** Seconds after a full hour. */
const at = (second: number): Date => new Date(Date.UTC(2031, 0, 31, 12) + second * 1000);

/** Two turns of an agent, known since before the checkpoint at 100. */
const TWO_TURNS: Activity = {
  since: at(0),
  intervals: [
    { from: at(110), to: at(200) },
    { from: at(300), to: at(400) },
  ],
};
const RUNNING: Activity = { since: at(0), intervals: [{ from: at(300), to: null }] };
const BEGAN_LATER: Activity = { ...TWO_TURNS, since: at(105) };

const cases: readonly { readonly what: string; times: readonly number[]; activity?: Activity; author: Author }[] = [
  { what: "in a turn", times: [150, 150], author: "agent" },
  { what: "at the first and the last moment of a turn", times: [300, 400], author: "agent" },
  { what: "two seconds before a turn", times: [298, 298], author: "agent" },
  { what: "two seconds after a turn", times: [202, 202], author: "agent" },
  { what: "a moment more before a turn", times: [297.9, 297.9], author: "someone else" },
  { what: "a moment more after a turn", times: [202.1, 202.1], author: "someone else" },
  { what: "between two turns", times: [250, 250], author: "someone else" },
  { what: "after the last turn", times: [500, 500], author: "someone else" },
  { what: "between the checkpoint and the first turn", times: [105, 105], author: "someone else" },
  { what: "a copy by the agent that keeps the contents' time", times: [250, 350], author: "agent" },
  { what: "the agent's file, renamed by a person", times: [150, 500], author: "agent" },
  { what: "an old file that the agent moved there", times: [20, 350], author: "agent" },
  { what: "an old file that a person moved there", times: [20, 500], author: "someone else" },
  { what: "only times before the checkpoint", times: [20, 90], author: "unknown" },
  { what: "no times", times: [], author: "unknown" },
  { what: "while a task runs on", times: [9000, 9000], activity: RUNNING, author: "agent" },
  { what: "before a task that runs on", times: [250, 250], activity: RUNNING, author: "someone else" },
  { what: "before anything is known", times: [104, 104], activity: BEGAN_LATER, author: "unknown" },
  { what: "before anything is known, renamed since", times: [104, 250], activity: BEGAN_LATER, author: "unknown" },
  { what: "after that", times: [250, 250], activity: BEGAN_LATER, author: "someone else" },
  {
    what: "with no turn at all",
    times: [250, 250],
    activity: { since: at(0), intervals: [] },
    author: "someone else",
  },
];
test.for(cases)("$what: $author", ({ times, activity = TWO_TURNS, author }) => {
  expect(authorOf(times.map(at), activity, at(100))).toBe(author);
});
