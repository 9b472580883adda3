import fc from "fast-check";
import micromatch from "micromatch";
import { expect, test } from "vitest";
import { mayMatch } from "./may-match.ts";
import { PRESETS } from "./presets/presets.ts";

const cases = [
  { glob: "**/*.py", path: "src/a.py", may: true },
  { glob: "**/*.py", path: "src/a.rb", may: false },
  { glob: "**/*.{py,rb}", path: "a.rb", may: true },
  { glob: "**/*.{py,rb}", path: "a.go", may: false },
  { glob: "**/{test_*,*_test,conftest}.py", path: "src/plain.py", may: true },
  { glob: "**/{test_*,*_test,conftest}.py", path: "src/test_a.rb", may: false },
  { glob: "**/*.{test,spec}.{js,ts}", path: "src/a.ts", may: true },
  { glob: "**/*.{test,spec}.{js,ts}", path: "src/a.test.rb", may: false },
  { glob: "docs/**", path: "docs/a/b.png", may: true },
  { glob: "docs/**", path: "docs", may: true },
  { glob: "docs/**", path: "src/docs/a", may: false },
  { glob: "**/.env*", path: "src/a.py", may: false },
  { glob: "**/.env*", path: ".env.local", may: true },
  { glob: "**/{Dockerfile,Makefile}*", path: "a/Makefile.in", may: true },
  { glob: "**/{Dockerfile,Makefile}*", path: "Makefile/a", may: false },
  { glob: "**/{a*,b}c", path: "x/axc", may: true },
  { glob: "src/**", path: "src/a/b", may: true },
  { glob: "config.yml", path: "config.yml", may: true },
  { glob: "config.yml", path: "other.yml", may: false },
  // What the library has words of its own for is left to it.
  { glob: "**/*.[ch]", path: "a.py", may: true },
  { glob: "!docs/**", path: "src/a", may: true },
  { glob: "a{1..3}", path: "a2", may: true },
  { glob: "a{b}", path: "x", may: true },
];
test.for(cases)("$glob on $path: $may", ({ glob, path, may }) => {
  expect(mayMatch(glob, path)).toBe(may);
});

const pieces = [
  "a",
  "b",
  ".",
  "/",
  "**/",
  "/**",
  "*",
  "**",
  "{",
  "}",
  ",",
  "{a,b}",
  "{.a,*b}",
  "?",
  "[ab]",
  "!",
  "(",
  ")",
  "|",
  "+",
  "@",
  "\\",
  "..",
  "./",
  "ä",
  '"',
  "^",
  "$",
  " ",
];
const paths = fc
  .array(fc.constantFrom("a", "b", ".", "/", ".a", "ab", "a/b", "ä", "{", "}", ",", " "), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

test("what a glob matches it may match, whatever the glob", () => {
  const globs = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(globs, paths, (glob, path) => mayMatch(glob, path) || !matches(glob, path)),
    { numRuns: 20_000 },
  );
});

test("what a glob of a preset matches it may match", () => {
  const globs = Object.values(PRESETS).flatMap(({ categories, docs }) => [
    ...docs,
    ...categories.flatMap(({ include, exclude = [], tests }) => [
      ...include,
      ...exclude,
      ...(Array.isArray(tests) ? tests : []),
    ]),
  ]);
  const names = fc.tuple(
    fc.constantFrom("", "src/", "docs/", "tests/", "a/tests/b/", "teleclaude/hooks/", ".agents/"),
    fc.constantFrom(
      "a",
      "test_a",
      "a_test",
      "A",
      "ATest",
      "package",
      "Cargo",
      ".env",
      "Dockerfile",
      "requirements-dev",
      "",
    ),
    fc.constantFrom("", ".py", ".test.ts", ".md", ".json", ".lock", ".toml", ".go", ".txt", ".java", "rc", "/x.py"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...new Set(globs)), names, (glob, [folder, name, end]) => {
      const path = `${folder}${name}${end}`;
      return path === "" || mayMatch(glob, path) || !matches(glob, path);
    }),
    { numRuns: 20_000 },
  );
});

function matches(glob: string, path: string): boolean {
  try {
    return micromatch.matcher(glob, { dot: true })(path);
  } catch {
    return false;
  }
}
