import { expect, test } from "vitest";
import * as categories from "./index.ts";

test("the public names", () => {
  expect(Object.keys(categories).toSorted()).toEqual([
    "CHECK_IDS",
    "KINDS_THAT_COUNT",
    "PRESETS",
    "RULE_MODES",
    "SAFETY_DEFAULTS",
    "SAVE_DEFAULTS",
    "TESTS_ACTION",
    "asksForTests",
    "categorize",
    "configSchema",
    "describeProblem",
    "isInCategory",
    "matchesAny",
    "parseConfig",
    "resolveRules",
  ]);
});
