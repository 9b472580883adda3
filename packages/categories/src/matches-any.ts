import micromatch from "micromatch";

const matchers = new Map<string, (path: string) => boolean>();

/** Whether a path matches one of the globs: real globstar, dotfiles included. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  // A glob's `**` does not cross a line break, and a file name may hold one.
  const line = path.replaceAll(/[\n\r\u2028\u2029]/g, " ");
  return globs.some((glob) => matcher(glob)(line));
}

function matcher(glob: string): (path: string) => boolean {
  const known = matchers.get(glob);
  if (known) return known;
  const made = micromatch.matcher(glob, { dot: true });
  matchers.set(glob, made);
  return made;
}
