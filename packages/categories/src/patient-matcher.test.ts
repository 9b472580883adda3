import fc from "fast-check";
import micromatch from "micromatch";
import { describe, expect, test } from "vitest";
import { isAffordable } from "./affordable-glob.ts";
import { expandBraces } from "./expand-braces.ts";
import { matchesAny } from "./matches-any.ts";
import { patientMatcher } from "./patient-matcher.ts";
import { PRESETS } from "./presets/presets.ts";

/** Pieces of globs, and of paths that come near them. */
const pieces = fc.constantFrom(
  "a",
  "b",
  "aa",
  ".",
  "-",
  "/",
  "/",
  "*",
  "**",
  "/**/",
  "**/",
  "/**",
  "?",
  "[ab]",
  "[a-c]",
  "{a,b}",
  "{a/b,*}",
  "{,a}",
  "{b,{a,b*}}",
);
const globs = fc.array(pieces, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(""));
const paths = fc
  .array(fc.constantFrom("a", "b", "c", "aa", ".b", "ab", "a.b", "-"), { minLength: 1, maxLength: 9 })
  .chain((names) =>
    fc.array(fc.constantFrom("/", "/", ""), { minLength: names.length, maxLength: names.length }).map((ends) =>
      names
        .map((name, at) => name + (ends[at] ?? ""))
        .join("")
        .replace(/\/$/, ""),
    ),
  );

test("says of every glob that it reads what the library says", () => {
  let read = 0;
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      const matcher = patientMatcher(glob);
      if (matcher === null || path === "") return;
      read += 1;
      expect({ glob, path, is: matcher(path) }).toEqual({
        glob,
        path,
        is: micromatch.matcher(glob, { dot: true })(path),
      });
    }),
    { numRuns: 3000 },
  );
  expect(read).toBeGreaterThan(400);
});

describe("a glob that the library would try for ever", () => {
  const a = "a".repeat(200);
  const cases = [
    { glob: `${"*a".repeat(30)}b`, path: a, is: false },
    { glob: `${"*a".repeat(30)}b`, path: `${a}b`, is: true },
    { glob: `${"**/a/".repeat(20)}b`, path: `${"a/".repeat(200)}c`, is: false },
    { glob: `${"**/a/".repeat(20)}b`, path: `${"a/".repeat(200)}b`, is: true },
    { glob: "**/[ab]*/**/*_?est*.{py,rb}", path: `${"a/b/".repeat(50)}x_testing.rb`, is: true },
    { glob: "**/[ab]*/**/*_?est*.{py,rb}", path: `${"a/b/".repeat(50)}x_testing.go`, is: false },
    { glob: `${"{a,aa}".repeat(30)}b`, path: a, is: false },
    { glob: "+(a|aa)+(a|aa)b", path: a, is: false },
    { glob: "*(*(*(a)))b", path: a, is: false },
    { glob: "{a,{b,c}}+".repeat(10), path: "aab".repeat(1300), is: false },
    { glob: `${"[ab]+".repeat(10)}c`, path: a, is: false },
    { glob: `(${"a+".repeat(10)})c`, path: a, is: false },
    { glob: "{".repeat(5000), path: a, is: false },
    { glob: "a".repeat(70_000), path: a, is: false },
  ];
  test.for(cases)("$glob on $path: $is", ({ glob, path, is }) => {
    const before = process.cpuUsage();
    expect(matchesAny(path, [glob])).toBe(is);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

test("no glob of a preset is too much for a path, however long", () => {
  const all = Object.values(PRESETS).flatMap(({ categories, docs }) => [
    ...docs,
    ...categories.flatMap(({ include, exclude = [], tests }) => [
      ...include,
      ...exclude,
      ...(typeof tests === "boolean" ? [] : tests),
    ]),
  ]);
  const longest = "a".repeat(4096);
  expect(all.filter((glob) => !isAffordable(glob, longest) && patientMatcher(glob) === null)).toEqual([]);
});

const lists = [
  { glob: "a/*.ts", ways: ["a/*.ts"] },
  { glob: "{a,b}/{c,d}", ways: ["a/c", "a/d", "b/c", "b/d"] },
  { glob: "x{a,{b,c}y}", ways: ["xa", "xby", "xa", "xcy"] },
  { glob: "{a,b", ways: null },
  { glob: "a}", ways: null },
  { glob: "{a,b}".repeat(8), ways: null },
];
test.for(lists)("the ways to read $glob", ({ glob, ways }) => {
  expect(expandBraces(glob)).toEqual(ways);
});
