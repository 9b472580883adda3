import type { Effort } from "./affordable-glob.ts";
import type { Ends } from "./may-match.ts";

/** What is known of a glob before there is a path. */
export interface KnownGlob {
  readonly ends: Ends;
  /** Null where its pattern may try for ever. */
  readonly effort: Effort | null;
  /** The source of its regular expression, as the library makes it. */
  readonly pattern: string;
}
