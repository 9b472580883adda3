import * as v from "valibot";
import { SAVE_MODES, STATUS_DOCUMENTS } from "../save-rules.ts";
import type { SaveEntry } from "./config.ts";
import { globSchema } from "./glob-schema.ts";

/** The shape of `save`: how work is saved when the agent's context fills up. */
export function saveSchema(): v.GenericSchema<SaveEntry> {
  return v.strictObject({
    mode: v.optional(
      v.pipe(
        v.picklist(SAVE_MODES),
        v.description(
          "`autonomous` saves by itself at the threshold and before a compaction; `normal` only advises. Default: normal.",
        ),
      ),
    ),
    threshold: v.optional(
      v.pipe(
        v.number(),
        v.minValue(1, "expected 1 or more"),
        v.maxValue(99, "expected at most 99"),
        v.description("How full the context is when work is saved, in percent. Default: 40."),
      ),
    ),
    contextWindow: v.optional(
      v.pipe(
        v.number(),
        v.integer("expected whole tokens"),
        v.minValue(1000, "expected at least 1000 tokens"),
        v.description(
          "How many tokens the model takes, if the agent does not tell. Default: what the model's name tells.",
        ),
      ),
    ),
    statusDocument: v.optional(
      v.pipe(
        v.picklist(STATUS_DOCUMENTS),
        v.description("The file that says where the work was left. Default: CLAUDE.md."),
      ),
    ),
    message: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, "expected some words, not an empty string"),
        v.maxLength(2000, "expected at most 2000 characters"),
        v.regex(/^[^\p{Cc}\u2028\u2029]+(?:\n[^\p{Cc}\u2028\u2029]*)*$/u, "expected lines without control characters"),
        v.description(
          "The commit's message, with `{facts}`, `{agent}`, `{branch}`, `{files}`, `{percent}` and `{session}`. Default: checkpoint: auto-checkpoint, then the facts.",
        ),
      ),
    ),
    protectedBranches: v.optional(
      v.pipe(
        v.array(globSchema()),
        v.description(
          "Globs of branches that nothing is committed to by itself. Default: main, master, develop, release/**.",
        ),
      ),
    ),
    push: v.optional(
      v.pipe(
        v.boolean(),
        v.description("Whether a saved commit is pushed to the branch's own upstream. Default: false."),
      ),
    ),
    coAuthor: v.optional(
      v.pipe(v.boolean(), v.description("Whether the commit names the agent as its co-author. Default: true.")),
    ),
  });
}
