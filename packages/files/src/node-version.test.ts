import { expect, test } from "vitest";
import { isNodeTooOld, oldNodeAdvice } from "./node-version.ts";

const versions = [
  { version: "20.20.2", isOld: true },
  { version: "22.14.0", isOld: true },
  { version: "22.15.0", isOld: false },
  { version: "23.10.0", isOld: true },
  { version: "23.11.0", isOld: false },
  { version: "24.0.0", isOld: false },
  { version: "26.1.0", isOld: false },
];
test.for(versions)("$version is too old: $isOld", ({ version, isOld }) => {
  expect(isNodeTooOld(version)).toBe(isOld);
});

test("the advice says what was wanted, what was found and what to do", () => {
  expect(oldNodeAdvice("20.1.0")).toBe("needs Node >=22.15, found 20.1.0; start it with a newer node");
});
