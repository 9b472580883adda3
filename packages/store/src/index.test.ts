import { expect, test } from "vitest";
import * as api from "./index.ts";

test("the package offers these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "NEWEST_ANSWERS",
    "OUTCOME_NAMES",
    "StoreError",
    "appendLog",
    "inspectStore",
    "isSnoozed",
    "openState",
    "openStore",
  ]);
});
