import micromatch from "micromatch";
import { findEffort } from "../src/affordable-glob.ts";
import type { KnownGlob } from "../src/known-glob.ts";
import { findEnds } from "../src/may-match.ts";
import { PRESETS } from "../src/presets/presets.ts";

/** Every glob of a preset, with what it comes to. */
export function presetGlobs(): readonly (readonly [glob: string, known: KnownGlob])[] {
  const globs = Object.values(PRESETS).flatMap(({ categories, docs }) => [
    ...docs,
    ...categories.flatMap(({ include, exclude = [], tests }) => [
      ...include,
      ...exclude,
      ...(typeof tests === "boolean" ? [] : tests),
    ]),
  ]);
  return [...new Set(globs)].map((glob) => [glob, know(glob)]);
}

function know(glob: string): KnownGlob {
  return { ends: findEnds(glob), effort: findEffort(glob), pattern: micromatch.makeRe(glob, { dot: true }).source };
}
