import { expect, test } from "vitest";
import { claimsGreen } from "./plain-language.ts";

const cases = [
  { text: "I have rewritten the README. All tests pass!", claims: true },
  { text: "The docs are done, and all 12 tests are green.", claims: true },
  { text: "- tests: passing\n- docs: updated", claims: true },
  { text: "Tests passed.", claims: true },
  { text: "The unit tests succeeded.", claims: true },
  { text: "The README is updated.", claims: false },
  { text: "Two tests fail; the others pass.", claims: false },
  { text: "The tests do not pass yet.", claims: false },
  { text: "The tests don't pass on main either.", claims: false },
  { text: "Once the tests pass, merge it.", claims: false },
  { text: "3 of 4 tests pass.", claims: false },
  { text: "The README says how to make the tests pass.", claims: false },
  { text: "Do the tests pass for you?", claims: false },
  { text: "The documents on testing pass the linter.", claims: false },
  { text: "", claims: false },
];
test.for(cases)("$text: $claims", ({ text, claims }) => {
  expect(claimsGreen(text)).toBe(claims);
});
