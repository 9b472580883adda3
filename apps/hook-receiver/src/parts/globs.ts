/** The part that reads globs. */
export { matcher } from "micromatch";
