import fc from "fast-check";
import micromatch from "micromatch";
import { expect, test } from "vitest";
import { presetGlobs } from "../../scripts/preset-globs.ts";
import { matchesAny } from "../matches-any.ts";
import { PRESET_GLOBS } from "./preset-globs.ts";

test("is what the presets come to now; if not, build the package", () => {
  expect([...PRESET_GLOBS]).toEqual(presetGlobs());
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

test.for([...PRESET_GLOBS.keys()])("%s matches what the library says", (glob) => {
  const matches = micromatch.matcher(glob, { dot: true });
  fc.assert(fc.property(pathsFor(glob), (path) => matchesAny(path, [glob]) === matches(path)));
});
