import type micromatch from "micromatch";

/** The name that the loader of parts knows; the bundler is not to look for it. */
const PART = "./checkpoint-hook-globs.cjs";

/** Stands for micromatch in the hook: the library is a part of its own, loaded for a glob that is in no preset. */
const lazily: Pick<typeof micromatch, "makeRe"> = {
  makeRe: (glob, options) => (require(PART) as typeof micromatch).makeRe(glob, options),
};

export default lazily;
