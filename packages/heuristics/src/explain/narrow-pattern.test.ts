import { matchesAny, PRESETS } from "@agent-checkpoint/categories";
import fc from "fast-check";
import { expect, test } from "vitest";
import { narrowPattern } from "./explain-turn.ts";

const cases = [
  { pattern: "src/**", file: "src/a.ts", narrowed: "src/**" },
  { pattern: "*.{js,ts}", file: "a.ts", narrowed: "*.ts" },
  { pattern: "**/*.{test,spec}.{js,ts}", file: "src/a.spec.js", narrowed: "**/*.spec.js" },
  { pattern: "**/{test_*,*_test,conftest}.py", file: "tests/a_test.py", narrowed: "**/*_test.py" },
  { pattern: "**/{a,a*}.py", file: "a.py", narrowed: "**/a.py" },
  { pattern: "{src,lib/{one,two}}/*.ts", file: "lib/two/a.ts", narrowed: "lib/two/*.ts" },
  { pattern: "{a,b}/{a,b}.ts", file: "b/a.ts", narrowed: "b/a.ts" },
  { pattern: "a{,.test}.ts", file: "a.ts", narrowed: "a.ts" },
  { pattern: "a{b,{c,d}}", file: "ad", narrowed: "ad" },
  { pattern: "a{1..3}", file: "a2", narrowed: "a{1..3}" },
  { pattern: "{src}/*.ts", file: "{src}/a.ts", narrowed: "{src}/*.ts" },
  { pattern: "*.{js,ts}", file: "a.py", narrowed: "*.{js,ts}" },
  { pattern: "*.{$&,ts}", file: "a.$&", narrowed: "*.$&" },
];
test.for(cases)("$pattern met by $file: $narrowed", ({ pattern, file, narrowed }) => {
  expect(narrowPattern(pattern, file)).toBe(narrowed);
});

test("a pattern that a file meets is still met by it when it is narrowed, and has no choice left", () => {
  const globs = Object.values(PRESETS).flatMap(({ categories, docs }) => [
    ...docs,
    ...categories.flatMap(({ include }) => include),
  ]);
  const name = fc.constantFrom("a", "test", "tests", "test_a", "a_test", "aTest", "docs", "conftest", "package");
  const ending = fc.constantFrom("ts", "py", "go", "java", "md", "json", "test.ts", "spec.js", "lock", "toml", "rb");
  const files = fc
    .tuple(fc.array(name, { maxLength: 2 }), name, ending)
    .map(([folders, base, end]) => [...folders, `${base}.${end}`].join("/"));
  fc.assert(
    fc.property(fc.constantFrom(...globs), files, (glob, file) => {
      fc.pre(matchesAny(file, [glob]));
      const narrowed = narrowPattern(glob, file);
      expect(matchesAny(file, [narrowed])).toBe(true);
      expect(narrowed).not.toContain(",");
    }),
    { numRuns: 200 },
  );
});
