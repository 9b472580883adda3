import * as v from "valibot";
import type { SafetyEntry } from "./config.ts";

/** The shape of `safety`: whether changes need a checkpoint first. */
export function safetySchema(): v.GenericSchema<SafetyEntry> {
  return v.strictObject({
    gate: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          "Whether a tool that changes a file is denied until a fresh checkpoint covers it. Run `checkpoint init` after switching it on. Default: false.",
        ),
      ),
    ),
    freshMinutes: v.optional(
      v.pipe(
        v.number(),
        v.minValue(1, "expected at least a minute"),
        v.maxValue(10_080, "expected at most a week"),
        v.description("How many minutes a checkpoint counts as fresh. Default: 30."),
      ),
    ),
  });
}
