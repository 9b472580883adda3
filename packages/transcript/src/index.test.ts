import { expect, test } from "vitest";
import * as transcript from "./index.ts";

test("the public names", () => {
  expect(Object.keys(transcript).toSorted()).toEqual([
    "AGENT_NAMES",
    "extractToolCallsBetween",
    "extractToolCallsCurrentTurn",
    "extractToolCallsCurrentTurnSync",
    "findTranscript",
    "readAfterStop",
    "readContextUsage",
    "readTurnAtStop",
    "readTurns",
    "recogniseTranscript",
  ]);
});
