import * as v from "valibot";
import { PRESET_NAMES } from "../presets/presets.ts";
import { type CheckId, STAGES } from "../types.ts";
import type { Config } from "./config.ts";
import { globSchema } from "./glob-schema.ts";
import { safetySchema } from "./safety-schema.ts";
import { saveSchema } from "./save-schema.ts";

let made: v.GenericSchema<unknown, Config> | undefined;

/**
 * The shape of `checkpoint.config.json` and of the personal `config.json`.
 * It is made when it is first asked for: that takes three milliseconds, and most stops have no config to read.
 */
export function configSchema(): v.GenericSchema<unknown, Config> {
  made ??= makeSchema();
  return made;
}

function makeSchema(): v.GenericSchema<unknown, Config> {
  const id = v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]*$/, "expected a name of lower-case letters, digits and dashes"),
  );

  const glob = globSchema();

  const line = v.pipe(
    v.string(),
    v.minLength(1, "expected some words, not an empty string"),
    v.maxLength(300, "expected at most 300 characters"),
    v.regex(/^[^\p{Cc}\u2028\u2029]*$/u, "expected one line without control characters"),
  );

  const delivery = v.picklist(["deliver", "silent"]);

  const step = v.union(
    [
      line,
      v.strictObject({
        run: v.pipe(line, v.description("The command as the agent is asked to run it.")),
        evidence: v.optional(
          v.pipe(
            v.array(line),
            v.description(
              "Commands that prove it was run, as words, without wrappers: `pytest` is met by `uv run pytest -q`. An empty list in the action `tests` leaves it to what test runs report. Default: the command itself.",
            ),
          ),
        ),
      }),
    ],
    "expected a command, or an object with `run` and `evidence`",
  );

  const off = v.optional(v.pipe(v.boolean(), v.description("Takes the preset's row of this id out. Default: false.")));

  const observation = (description: string) =>
    v.optional(v.pipe(v.boolean(), v.description(`${description} Default: true.`)));

  const checks = {
    "verification-gap": observation(
      "Says why an action is asked for: not seen, failed, masked, or before the last change.",
    ),
    "failed-command": observation("A command failed, and nothing later in the turn made it good."),
    "edit-without-read": observation("A file was edited that the agent had not looked at in this turn."),
    "wide-change": observation("The changed files lie in more than three top-level folders."),
    "working-slug": observation("None of the changed files is in the plan that the session is set to."),
    "config-changed": observation("The agent changed the checkpoint's rules, hooks or record, or what git shows."),
  } satisfies Record<CheckId, unknown>;

  const category = v.pipe(
    v.strictObject({
      id: v.pipe(id, v.description("A row of the preset with the same id is replaced.")),
      label: v.optional(v.pipe(line, v.description("The words for it in the middle of a sentence. Default: the id."))),
      plural: v.optional(
        v.pipe(v.boolean(), v.description("Whether the label takes `were` instead of `was`. Default: false.")),
      ),
      off,
      include: v.optional(
        v.pipe(
          v.array(glob),
          v.minLength(1, "expected at least one glob"),
          v.description("Globs of its files, from the repository's root. Needed unless the row is switched off."),
        ),
      ),
      exclude: v.optional(
        v.pipe(v.array(glob), v.description("Globs of files that are not meant after all. Default: none.")),
      ),
      action: v.optional(
        v.pipe(v.nullable(id), v.description("The id of the action that a change asks for. Default: none.")),
      ),
      tests: v.optional(
        v.pipe(
          v.union([v.boolean(), v.array(glob)], "expected true, false or a list of globs"),
          v.description(
            "Whether a change asks for tests: for all of the files, none, or those that match. Default: false.",
          ),
        ),
      ),
    }),
    v.forward(
      v.check((row) => row.off === true || row.include !== undefined, "expected a list of globs"),
      ["include"],
    ),
  );

  const action = v.pipe(
    v.strictObject({
      id: v.pipe(id, v.description("An action of the preset with the same id is replaced.")),
      stage: v.optional(
        v.pipe(
          v.picklist(STAGES),
          v.description("Its place in the checklist: before the logs, at the logs, or after them. Default: prepare."),
        ),
      ),
      instruction: v.optional(
        v.pipe(
          line,
          v.description(
            "The line of the checklist; `{window}` is the time since the prompt. Default: Run `…` then `…`.",
          ),
        ),
      ),
      off,
      steps: v.optional(
        v.pipe(
          v.array(step),
          v.minLength(1, "expected at least one command"),
          v.description("What is to be run, each after the one before it. Needed unless the row is switched off."),
        ),
      ),
    }),
    v.forward(
      v.check((row) => row.off === true || row.steps !== undefined, "expected a list of commands"),
      ["steps"],
    ),
  );

  return v.strictObject({
    $schema: v.optional(v.pipe(v.string(), v.description("Where an editor finds the schema of this file."))),
    preset: v.optional(
      v.pipe(
        v.picklist([...PRESET_NAMES, "none"]),
        v.description("The rules to start from. Default: teleclaude where the repository is TeleClaude, else generic."),
      ),
    ),
    categories: v.optional(
      v.pipe(
        v.array(category),
        v.description("Rows that extend the preset's table, or replace the row of the same id. Default: none."),
      ),
    ),
    actions: v.optional(
      v.pipe(
        v.array(action),
        v.description("Actions that extend the preset's, or replace the one of the same id. Default: none."),
      ),
    ),
    docs: v.optional(v.pipe(v.array(glob), v.description("Globs of files that are no code. Default: the preset's."))),
    baseline: v.optional(
      v.pipe(v.array(id), v.description("Ids of the actions that every stop asks for. Default: the preset's.")),
    ),
    checks: v.optional(
      v.pipe(v.strictObject(checks), v.description("Switches single observations off or on. Default: all are on.")),
    ),
    timerSeconds: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0, "expected 0 or more"),
        v.maxValue(86_400, "expected at most a day"),
        v.description(
          "Stops sooner than this after the prompt or the last checkpoint pass: 30 in `teleclaude`, 10 in the others. Default: the preset's.",
        ),
      ),
    ),
    captureOnly: v.optional(v.pipe(delivery, v.description("What to do when no code changed. Default: the preset's."))),
    allClear: v.optional(
      v.pipe(delivery, v.description("What to do when everything expected was done. Default: the preset's.")),
    ),
    commitStep: v.optional(
      v.pipe(v.boolean(), v.description("Whether the checklist ends with the commit. Default: the preset's.")),
    ),
    captureReminder: v.optional(
      v.pipe(
        v.boolean(),
        v.description("Whether the message reminds of memories, bugs and ideas worth keeping. Default: the preset's."),
      ),
    ),
    untracked: v.optional(
      v.pipe(v.boolean(), v.description("Whether files that git does not track yet count as changed. Default: true.")),
    ),
    scope: v.optional(
      v.pipe(
        v.picklist(["tree", "session"]),
        v.description(
          "Which uncommitted files are looked at: all, or those this session changed. Default: the preset's.",
        ),
      ),
    ),
    keepDays: v.optional(
      v.pipe(
        v.number(),
        v.integer("expected whole days"),
        v.minValue(1, "expected at least a day"),
        v.maxValue(3650, "expected at most ten years"),
        v.description("How many days records of stops are kept. Default: 90."),
      ),
    ),
    safety: v.optional(
      v.pipe(safetySchema(), v.description("Whether changes need a checkpoint to go back to first. Default: no.")),
    ),
    save: v.optional(
      v.pipe(saveSchema(), v.description("How work is saved when the agent's context fills up. Default: advice only.")),
    ),
  });
}
