import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import micromatch from "micromatch";
import { describe, expect, onTestFinished, test } from "vitest";
import { matchesAny } from "./globs.ts";
import { PRESET_PATTERNS } from "./presets/preset-patterns.generated.ts";

test("the patterns are those of the presets as they are; if not, run `npm run generate`", () => {
  const folder = mkdtempSync(join(tmpdir(), "preset-patterns-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fresh = join(folder, "fresh.ts");
  // As `npm run generate` runs it: from the sources of the other packages, built or not.
  const fromSources = "--conditions=@agent-checkpoint/source";
  execFileSync(process.execPath, [fromSources, inPackage("scripts/write-preset-patterns.ts"), fresh]);
  expect(readFileSync(inPackage("src/presets/preset-patterns.generated.ts"), "utf8")).toBe(readFileSync(fresh, "utf8"));
});

/** Paths that a glob may match: its stars and lists filled in, and now and then something else in its place. */
const pathsFor = (glob: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...glob
        .split(/(\*\*\/|\*|\{[^}]*\}|[^*{]+)/)
        .filter((piece) => piece !== "")
        .map((piece) => {
          if (piece === "**/") return fc.constantFrom("", "a/", "src/.b/", "../", "a b/", "x");
          if (piece === "*") return fc.constantFrom("", "a", ".", "a.b", "é", "a/b");
          if (piece.startsWith("{")) return fc.constantFrom(...piece.slice(1, -1).split(","), "");
          return fc.constantFrom(piece, piece, piece, "x");
        }),
    )
    .map((pieces) => pieces.join(""));

const GLOBS = [
  ...PRESET_PATTERNS.keys(),
  "apps/*/src/**/*.test.*",
  "a/{b,{c,d}}/*.ts",
  "[ab]/?.md",
  "@(x|y)/!(z).js",
  "!*.ts",
  "./a/*.md",
  "a/{b,c}",
  "a/*{b,}",
  "a{b,c}{.ts,.d.ts}",
  "a/x{1..3}",
  "a/x{b..d,z}",
  "a/${b,c}",
  "a/\\{b,c}",
  "a/{x{b,c}",
  "a/[{]b,c}",
  "a/",
  "a\\*b",
];
test.for(GLOBS)("%s matches what micromatch says", (glob) => {
  const matches = micromatch.matcher(glob, { dot: true });
  fc.assert(fc.property(pathsFor(glob), (path) => matchesAny(path, [glob]) === matches(path)));
});

describe("globs that could take for ever", () => {
  const a = "a".repeat(200);
  const cases = [
    { glob: `${"*a".repeat(30)}b`, path: `${a}b`, is: false },
    { glob: `${"*a".repeat(6)}b`, path: a, is: false },
    { glob: `${"*a".repeat(4)}b`, path: "a".repeat(210), is: false },
    { glob: `${"**/a/".repeat(20)}b`, path: `${"a/".repeat(200)}b`, is: false },
    { glob: "**/[ab]*/**/*_?est*.{py,rb}", path: `${"a/b/".repeat(5)}x_testing.rb`, is: true },
    { glob: "**/[ab]*/**/*_?est*.{py,rb}", path: `${"a/b/".repeat(5)}x_testing.go`, is: false },
    { glob: `${"{a,aa}".repeat(30)}b`, path: a, is: false },
    { glob: `${"{a,aa}".repeat(6)}b`, path: `${"a".repeat(12)}b`, is: true },
    { glob: `${"?(a)".repeat(30)}b`, path: a, is: false },
    { glob: "+(a|aa)+(a|aa)b", path: a, is: false },
    { glob: "*(*(*(a)))b", path: a, is: false },
    { glob: "(a)+b", path: "ab", is: false },
    { glob: "(a){2}", path: "aa", is: false },
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

test.for(["a/", "a", "test_", "a.test."])("the presets' globs are no effort for a path of many %s", (piece) => {
  const path = piece.repeat(4096 / piece.length);
  const before = process.cpuUsage();
  matchesAny(path, [...PRESET_PATTERNS.keys()]);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});

test("a line break in a name is a character like any other", () => {
  expect(matchesAny("src/a\nb.py", ["src/**/*.py"])).toBe(true);
});

function inPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
