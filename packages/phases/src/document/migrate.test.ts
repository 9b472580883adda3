import { expect, test } from "vitest";
import { migrate, type RawDocument } from "./complete-document.ts";

const steps = [
  (document: RawDocument) => ({ ...document, version: 1, one: true }),
  (document: RawDocument) => ({ ...document, version: 2, two: true }),
];

const cases = [
  { name: "no version", document: { x: 1 }, document2: { x: 1, version: 2, one: true, two: true } },
  { name: "the first", document: { version: 1 }, document2: { version: 2, two: true } },
  { name: "today's", document: { version: 2, x: 1 }, document2: { version: 2, x: 1 } },
];
test.for(cases)("$name", ({ document, document2 }) => {
  expect(migrate(Object.freeze(document), steps)).toEqual({ status: "ok", document: document2 });
});

test.for([1.5, -1, "2", null, {}])("no version is %j", (version) => {
  expect(migrate({ version }, steps)).toEqual({ status: "no-version", found: version });
});

test("a newer one is not touched", () => {
  expect(migrate({ version: 3 }, steps)).toEqual({ status: "newer", found: 3 });
});
