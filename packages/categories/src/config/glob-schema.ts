import * as v from "valibot";
import { LONGEST_GLOB } from "../affordable-glob.ts";
import { REPEATED_GROUP } from "../repeated-group.ts";

/** The shape of a glob that can be matched in good time. */
export function globSchema(): v.GenericSchema<string> {
  return v.pipe(
    v.string(),
    v.minLength(1, "expected a glob, not an empty string"),
    v.maxLength(LONGEST_GLOB, `expected a glob of at most ${LONGEST_GLOB} characters`),
    v.check((text) => !REPEATED_GROUP.test(text), "expected a glob without a group that may repeat"),
    v.regex(/^[^!]/, "expected a glob without a leading `!` (put it into `exclude`)"),
  );
}
