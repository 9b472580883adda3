import * as v from "valibot";
import type { Config, SafetyEntry, SaveEntry } from "./config.ts";
import { countStars, hasRepeatedGroup, MAX_GLOB_LENGTH, MAX_GLOB_STARS } from "../globs.ts";
import { PRESET_NAMES } from "../presets/presets.ts";
import { SNAPSHOT_MODES } from "../safety-rules.ts";
import { SAVE_MODES, STATUS_DOCUMENTS } from "../save-rules.ts";
import { type CheckId, RULE_MODES, STAGES } from "../types.ts";

let made: v.GenericSchema<unknown, Config> | undefined;

/**
 * The shape of `checkpoint.config.json` and of the personal `config.json`.
 * It is made when it is first asked for: that takes three milliseconds, and most stops have no config to read.
 */
export function configSchema(): v.GenericSchema<unknown, Config> {
  made ??= makeSchema();
  return made;
}

/** A key that may be left out, with what it means. */
function key<Input, Output>(schema: v.GenericSchema<Input, Output>, description: string) {
  return v.optional(v.pipe(schema, v.description(description)));
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

  const mode = v.picklist(RULE_MODES);

  const delivery = v.picklist(["deliver", "silent"]);

  const step = v.union(
    [
      line,
      v.strictObject({
        run: v.pipe(line, v.description("The command that the agent is asked to run.")),
        evidence: key(
          v.array(line),
          "Commands that prove it was run, without wrappers: `uv run pytest -q` meets `pytest`. With an empty list any run of the kind counts in the actions `tests`, `check-types`, `check-lint` and `check-build`. Default: the command itself.",
        ),
      }),
    ],
    "expected a command, or an object with `run` and `evidence`",
  );

  const off = key(v.boolean(), "Removes the preset's row of this id. Default: false.");

  const observation = (description: string) => key(v.boolean(), `${description} Default: true.`);

  const checks = {
    "verification-gap": observation(
      "Says why an action is asked for: not seen, failed, masked, or before the last change.",
    ),
    "failed-command": observation("A command failed, and nothing later in the turn made it good."),
    "edit-without-read": observation("A file was edited that the agent had not read in this turn."),
    "wide-change": observation("The changed files lie in more than three top-level folders."),
    "working-slug": observation("None of the changed files is in the plan that the session is set to."),
    "config-changed": observation("The agent changed the checkpoint's rules, hooks or record, or what git shows."),
  } satisfies Record<CheckId, unknown>;

  const category = v.pipe(
    v.strictObject({
      id: v.pipe(id, v.description("Replaces the preset's row of the same id.")),
      label: key(line, "Its name in the middle of a sentence. Default: the id."),
      plural: key(v.boolean(), "Whether the label takes `were` instead of `was`. Default: false."),
      off,
      include: key(
        v.pipe(v.array(glob), v.minLength(1, "expected at least one glob")),
        "Globs of its files, from the repository's root. Required unless the row is off.",
      ),
      exclude: key(v.array(glob), "Globs of files to leave out. Default: none."),
      action: key(v.nullable(id), "The id of the action that a change asks for. Default: none."),
      tests: key(
        v.union([v.boolean(), v.array(glob)], "expected true, false or a list of globs"),
        "Whether a change asks for tests: for all of the files, none, or those that match. Default: false.",
      ),
    }),
    v.forward(
      v.check((row) => row.off === true || row.include !== undefined, "expected a list of globs"),
      ["include"],
    ),
  );

  const action = v.pipe(
    v.strictObject({
      id: v.pipe(id, v.description("Replaces the preset's action of the same id.")),
      stage: key(
        v.picklist(STAGES),
        "Its place in the checklist: before the logs, at the logs, or after them. Default: prepare.",
      ),
      instruction: key(
        line,
        "The line of the checklist; `{window}` is the time since the prompt. Default: Run `…` then `…`.",
      ),
      off,
      steps: key(
        v.pipe(v.array(step), v.minLength(1, "expected at least one command")),
        "The commands to run, in order. Required unless the row is off.",
      ),
    }),
    v.forward(
      v.check((row) => row.off === true || row.steps !== undefined, "expected a list of commands"),
      ["steps"],
    ),
  );

  return v.strictObject({
    $schema: key(v.string(), "Where an editor finds the schema of this file."),
    preset: key(
      v.picklist([...PRESET_NAMES, "none"]),
      "The rules to start from. Default: teleclaude in the TeleClaude repository, otherwise generic.",
    ),
    categories: key(
      v.array(category),
      "Rows that extend the preset's table, or replace the row of the same id. Default: none.",
    ),
    actions: key(
      v.array(action),
      "Actions that extend the preset's, or replace the one of the same id. Default: none.",
    ),
    docs: key(v.array(glob), "Globs of files that are not code. Default: the preset's."),
    baseline: key(v.array(id), "Ids of the actions that every stop asks for. Default: the preset's."),
    checks: key(v.strictObject(checks), "Switches single observations on or off. Default: all are on."),
    modes: key(
      v.record(id, v.union([mode, v.record(id, mode)], "expected a mode, or a mode for each agent")),
      "How loud a rule is, by its id: `require` may block, `advise` is said if something else blocks, `shadow` is only recorded, `off` is not looked at. An object gives a mode for each agent. Default: actions and failures `require`, other observations `advise` (`require` in `teleclaude`).",
    ),
    noise: key(
      v.picklist(["suggest", "auto"]),
      "What becomes of a rule that is mostly ignored: `checkpoint rules` suggests `advise`, or with `auto` the program moves it there, and back when it is heard again. A mode in a config is never changed. Default: suggest.",
    ),
    timerSeconds: key(
      v.pipe(v.number(), v.minValue(0, "expected 0 or more"), v.maxValue(86_400, "expected at most a day")),
      "A stop passes if it comes sooner than this after the prompt or the last checkpoint: 30 in `teleclaude`, 10 in the others. Default: the preset's.",
    ),
    captureOnly: key(delivery, "What to do when no code changed. Default: the preset's."),
    allClear: key(delivery, "What to do when everything expected was done. Default: the preset's."),
    commitStep: key(v.boolean(), "Whether the checklist ends with the commit. Default: the preset's."),
    captureReminder: key(
      v.boolean(),
      "Whether the message reminds the agent to record memories, bugs and ideas. Default: the preset's.",
    ),
    untracked: key(v.boolean(), "Whether files that git does not track yet count as changed. Default: true."),
    scope: key(
      v.picklist(["tree", "session"]),
      "Which uncommitted files are judged: all, or those that this session changed. Default: the preset's.",
    ),
    keepDays: key(daysSchema(), "How many days records of stops are kept. Default: 90."),
    safety: key(safetySchema(), "Whether a change needs a snapshot first. Default: no."),
    save: key(saveSchema(), "How work is saved when the agent's context fills up. Default: advice only."),
  });
}

/** The shape of `save`: how work is saved when the agent's context fills up. */
export function saveSchema(): v.GenericSchema<SaveEntry> {
  return v.strictObject({
    mode: key(
      v.picklist(SAVE_MODES),
      "`autonomous` saves without asking at the threshold and before a compaction; `normal` only advises. Default: normal.",
    ),
    threshold: key(
      v.pipe(v.number(), v.minValue(1, "expected 1 or more"), v.maxValue(99, "expected at most 99")),
      "How full the context is when work is saved, in percent. Default: 40.",
    ),
    contextWindow: key(
      v.pipe(v.number(), v.integer("expected whole tokens"), v.minValue(1000, "expected at least 1000 tokens")),
      "How many tokens the model takes, if the agent does not report it. Default: derived from the model's name.",
    ),
    statusDocument: key(
      v.picklist(STATUS_DOCUMENTS),
      "The file that records the state of the work. Default: CLAUDE.md.",
    ),
    message: key(
      v.pipe(
        v.string(),
        v.minLength(1, "expected some words, not an empty string"),
        v.maxLength(2000, "expected at most 2000 characters"),
        v.regex(/^[^\p{Cc}\u2028\u2029]+(?:\n[^\p{Cc}\u2028\u2029]*)*$/u, "expected lines without control characters"),
      ),
      "The commit's message, with `{facts}`, `{agent}`, `{branch}`, `{files}`, `{percent}` and `{session}`. Default: checkpoint: auto-checkpoint, then the facts.",
    ),
    protectedBranches: key(
      v.array(globSchema()),
      "Globs of branches that autosave never commits to. Default: main, master, develop, release/**.",
    ),
    push: key(v.boolean(), "Whether a saved commit is pushed to the branch's own upstream. Default: false."),
    coAuthor: key(v.boolean(), "Whether the commit names the agent as its co-author. Default: true."),
  });
}

/** The shape of `safety`: whether a change needs a snapshot first. */
export function safetySchema(): v.GenericSchema<SafetyEntry> {
  return v.strictObject({
    gate: key(
      v.boolean(),
      "Whether a tool that changes a file is denied until a fresh snapshot covers it. Run `checkpoint init` after switching it on. Default: false.",
    ),
    freshMinutes: key(
      v.pipe(v.number(), v.minValue(1, "expected at least a minute"), v.maxValue(10_080, "expected at most a week")),
      "How many minutes a snapshot counts as fresh. Default: 30.",
    ),
    keepDays: key(
      daysSchema(),
      "After how many days an automatic snapshot expires: before a restore, before work is saved, or beside a stop. Default: 30.",
    ),
    snapshot: key(
      v.picklist(SNAPSHOT_MODES),
      "Beside which stops a snapshot of the work tree is taken, by a program that nobody waits for. Default: off.",
    ),
  });
}

function daysSchema(): v.GenericSchema<number> {
  return v.pipe(
    v.number(),
    v.integer("expected whole days"),
    v.minValue(1, "expected at least a day"),
    v.maxValue(3650, "expected at most ten years"),
  );
}

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
