import type { SafetyRules } from "./safety-rules.ts";
import type { SaveRules } from "./save-rules.ts";

/** When an action has its place: before looking at logs, at the logs, or after them. */
export type Stage = (typeof STAGES)[number];

/** The stages in the order of the checklist. */
export const STAGES = ["prepare", "observe", "validate"] as const;

/** One command of an action, and the commands that count as having run it. */
export interface ActionStep {
  /** The command as the agent is asked to run it. */
  readonly run: string;
  /** Commands that prove it, as words: `pip install` is met by `pip install -e .`. None, for tests: any test run. */
  readonly evidence: readonly string[];
  /** Its name in a sentence, if there are many ways to run it. */
  readonly called?: string;
}

/** Something the agent may be asked to do. */
export interface Action {
  readonly id: string;
  readonly stage: Stage;
  /** The line of the checklist; `{window}` stands for the time since the prompt, such as `2m`. */
  readonly instruction: string;
  /** The commands to run, each after the one before it. */
  readonly steps: readonly ActionStep[];
}

/** A kind of file, and what a change to it asks for. */
export interface Category {
  readonly id: string;
  /** The words for it in the middle of a sentence: `daemon code`. */
  readonly label: string;
  /** Whether the label takes `were` instead of `was`. */
  readonly plural?: boolean;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** The id of the action it asks for; null if a change asks for nothing. */
  readonly action: string | null;
  /** Whether it asks for tests: for all of its files, for none, or for those that match. */
  readonly tests: boolean | readonly string[];
  /** Present on a row of test files: what it is called and how the tests are asked for when no source file changed. */
  readonly alone?: { readonly label: string; readonly instruction: string };
  /** Whether a config file names it: then it asks for tests even if the repository has none. */
  readonly isFromConfig?: true;
}

/** What happens to a message that asks for nothing. */
export type Delivery = "deliver" | "silent";

/** Which uncommitted files are looked at: all of them, or those this session changed. */
export type Scope = "tree" | "session";

/** The observations that can be switched off. */
export type CheckId = (typeof CHECK_IDS)[number];

export const CHECK_IDS = [
  "verification-gap",
  "failed-command",
  "edit-without-read",
  "wide-change",
  "working-slug",
  "config-changed",
] as const;

/** The modes of a rule, from the loudest to the most silent. */
export const RULE_MODES = ["require", "advise", "shadow", "off"] as const;

/**
 * How loud a rule is: `require` may block, `advise` is said only if something else blocks, `shadow` is judged and
 * recorded but never said, `off` is not looked at. A rule is an action or a check, by its id.
 */
export type RuleMode = (typeof RULE_MODES)[number];

/** Everything that is configured about a checkpoint. */
export interface Rules {
  readonly preset: string;
  readonly categories: readonly Category[];
  /** In the order of the checklist. */
  readonly actions: readonly Action[];
  /** Globs of files that are no code, tried after the categories. */
  readonly docs: readonly string[];
  /** Ids of the actions that every stop asks for. */
  readonly baseline: readonly string[];
  readonly checks: Readonly<Record<CheckId, boolean>>;
  /** The modes of rules by their ids, for all agents or by agent; the default where none is given. */
  readonly modes: Readonly<Record<string, RuleMode | Readonly<Record<string, RuleMode>>>>;
  /** Whether a rule that turns out to be noise is only named, or moved to `advise` where no config gives its mode. */
  readonly noise: "suggest" | "auto";
  readonly timerSeconds: number;
  readonly captureOnly: Delivery;
  readonly allClear: Delivery;
  /** A stop with nothing changed since this session's last one. */
  readonly unchanged: Delivery;
  /** A stop whose changed files git could not list. */
  readonly withoutGit: Delivery;
  /** Whether an observation about how the work was done is enough to block. */
  readonly hygieneBlocks: boolean;
  /** Whether the checklist ends with the commit. */
  readonly commitStep: boolean;
  /** Whether the message reminds of what is worth keeping. */
  readonly captureReminder: boolean;
  /** Whether files that git does not track yet count as changed. */
  readonly untracked: boolean;
  readonly scope: Scope;
  /** How long records of stops are kept. */
  readonly keepDays: number;
  /** Whether changes need a snapshot first; absent means the defaults. */
  readonly safety?: SafetyRules | undefined;
  /** How work is saved when the agent's context fills up; absent means the defaults. */
  readonly save?: SaveRules | undefined;
}

/** The id of the action that a row with `tests` asks for. */
export const TESTS_ACTION = "tests";

/** The actions whose steps may name no evidence; any run of these kinds counts for them. */
export const KINDS_THAT_COUNT: ReadonlyMap<string, readonly ("test" | "types" | "lint" | "build")[]> = new Map([
  [TESTS_ACTION, ["test"]],
  ["check-types", ["types", "build"]],
  ["check-lint", ["lint"]],
  ["check-build", ["build"]],
]);
