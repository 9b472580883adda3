import * as v from "valibot";
import { countStars, hasRepeatedGroup, MAX_GLOB_LENGTH, MAX_GLOB_STARS } from "../globs.ts";

/** The shape of a glob that can be matched in good time. */
export function globSchema(): v.GenericSchema<string> {
  return v.pipe(
    v.string(),
    v.minLength(1, "expected a glob, not an empty string"),
    v.maxLength(MAX_GLOB_LENGTH, `expected a glob of at most ${MAX_GLOB_LENGTH} characters`),
    v.check((glob) => countStars(glob) <= MAX_GLOB_STARS, `expected a glob with at most ${MAX_GLOB_STARS} stars`),
    v.check((glob) => !hasRepeatedGroup(glob), "expected a glob without a group that may repeat"),
    v.regex(/^[^!]/, "expected a glob without a leading `!` (put it into `exclude`)"),
  );
}
