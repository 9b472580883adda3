/** The part that reads globs. */
export { makeRe } from "micromatch";
