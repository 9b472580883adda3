import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTrail, trailToJson, type StopTrail } from "./stops.ts";

const nothing: StopTrail = {
  transcriptPath: null,
  turnStart: null,
  readUpTo: null,
  promptAt: null,
  changedFiles: null,
  changedFileCount: null,
  workingSlug: null,
};

test("a trail comes out of the column as it went in", () => {
  const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
  const files = fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 5 });
  const trail: fc.Arbitrary<StopTrail> = fc
    .record({
      transcriptPath: orNull(fc.string()),
      turnStart: orNull(fc.nat()),
      readUpTo: orNull(fc.maxSafeNat()),
      promptAt: orNull(fc.date({ noInvalidDate: true })),
      changedFiles: orNull(files),
      workingSlug: orNull(fc.string()),
    })
    .map((fields) => ({ ...fields, changedFileCount: fields.changedFiles?.length ?? null }));
  fc.assert(
    fc.property(trail, (given) => {
      expect(parseTrail(trailToJson(given))).toEqual(given);
    }),
  );
});

const files = (count: number) => Array.from({ length: count }, (_, number) => `${number}.ts`);
const counts = [
  { title: "200 files", given: { changedFiles: files(200), changedFileCount: null }, kept: 200, count: 200 },
  { title: "201 files", given: { changedFiles: files(201), changedFileCount: null }, kept: 200, count: 201 },
  {
    title: "the first of many files",
    given: { changedFiles: files(3), changedFileCount: 5000 },
    kept: 3,
    count: 5000,
  },
  { title: "no file", given: { changedFiles: [], changedFileCount: 0 }, kept: 0, count: 0 },
];
test.for(counts)("$title: $kept are kept, $count counted", ({ given, kept, count }) => {
  const trail = parseTrail(trailToJson({ ...nothing, ...given }));
  expect(trail).toEqual({ ...nothing, changedFiles: files(kept), changedFileCount: count });
});

const spoiled = [
  { text: null, trail: null },
  { text: "", trail: null },
  { text: "half", trail: null },
  { text: "null", trail: null },
  { text: '"text"', trail: null },
  { text: "{}", trail: nothing },
  { text: '{"transcriptPath":1,"turnStart":"1","readUpTo":true,"promptAt":"now","workingSlug":[]}', trail: nothing },
  { text: '{"changedFiles":["a.ts",1,null],"changedFileCount":"2"}', trail: { ...nothing, changedFiles: ["a.ts"] } },
  { text: '{"turnStart":7,"more":"of a newer version"}', trail: { ...nothing, turnStart: 7 } },
];
test.for(spoiled)("a column that holds $text", ({ text, trail }) => {
  expect(parseTrail(text)).toEqual(trail);
});
