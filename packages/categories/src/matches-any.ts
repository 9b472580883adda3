import micromatch from "micromatch";
import { isAffordable, LONGEST_GLOB } from "./affordable-glob.ts";
import { mayMatch } from "./may-match.ts";
import { PRESET_GLOBS } from "./presets/preset-globs.ts";
import { type PathTest, patientMatcher } from "./patient-matcher.ts";

const matchers = new Map<string, PathTest>();
const patientMatchers = new Map<string, PathTest | null>();

/** Whether a path matches one of the globs: real globstar, dotfiles included. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  // A glob's `**` does not cross a line break, and a file name may hold one.
  const line = path.replaceAll(/[\n\r\u2028\u2029]/g, " ");
  return globs.some((glob) => glob.length <= LONGEST_GLOB && mayMatch(glob, line) && matches(glob, line));
}

/** A glob that could take for ever is matched with patience, or not at all. */
function matches(glob: string, path: string): boolean {
  if (isAffordable(glob, path)) return remembered(matchers, glob, matcher)(path);
  return remembered(patientMatchers, glob, patientMatcher)?.(path) ?? false;
}

/** The library's, whose pattern for a glob of a preset was made when this was built. */
function matcher(glob: string): PathTest {
  const known = PRESET_GLOBS.get(glob);
  if (known === undefined) return micromatch.matcher(glob, { dot: true });
  const pattern = new RegExp(known.pattern);
  return (path) => path === glob || pattern.test(path);
}

function remembered<Made>(known: Map<string, Made>, glob: string, make: (glob: string) => Made): Made {
  const found = known.get(glob);
  if (found !== undefined) return found;
  const made = make(glob);
  known.set(glob, made);
  return made;
}
