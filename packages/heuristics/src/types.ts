import type { CheckId, RuleMode, Rules } from "@agent-checkpoint/categories";
import type { AgentName, ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";
import type { Categorization } from "@agent-checkpoint/categories";

/** The parts of a turn's timeline that a verdict rests on. */
export type TurnFacts =
  | {
      readonly hasData: true;
      readonly toolCalls: readonly ToolCallRecord[];
      readonly prompt: { readonly text?: string | undefined; readonly timestamp: Date | null } | null;
      readonly isWhole: boolean;
      readonly lastWords?: string | undefined;
    }
  | Extract<TurnTimeline, { readonly hasData: false }>;
/** What is known of the repository: which tests it has, and what it declares. Other readers may know more languages. */
export interface RepositoryFacts {
  readonly projects: readonly { readonly folder: string; readonly language: string }[];
  /** Folders with test files in them, by language. */
  readonly testFolders: Readonly<Partial<Record<string, readonly string[]>>>;
  readonly commands: readonly {
    readonly command: string;
    readonly folder: string;
    readonly kind: string;
    readonly languages: readonly string[];
    readonly runs: string | null;
    readonly name: string;
  }[];
  /** The same for other repositories that the turn worked in. */
  readonly elsewhere?: readonly { readonly root: string; readonly facts: RepositoryFacts }[] | undefined;
}

/** What the verdict depends on besides the changed files and the turn. */
export interface CheckpointContext {
  /** The repository's root; changed files are relative to it. */
  readonly projectPath: string;
  readonly workingSlug: string | null;
  readonly agentName?: AgentName | undefined;
  /** The rules in force; the `teleclaude` preset by default. */
  readonly rules?: Rules | undefined;
  /** Other spellings of the root, such as its real path behind a link. */
  readonly projectAliases?: readonly string[] | undefined;
  /** When the turn's opening prompt was sent; the transcript's own time by default. */
  readonly promptAt?: Date | null | undefined;
  /** When the turn stopped. */
  readonly now?: Date | undefined;
  /** The text of the working slug's implementation plan; null if there is none. */
  readonly plan?: string | null | undefined;
  /** What is known of the repository; without it, the repository is assumed to have tests. */
  readonly repository?: RepositoryFacts | null | undefined;
  /** Whether the configs on disk are no longer those of the turn's prompt; not so by default. */
  readonly haveRulesChanged?: boolean | undefined;
  /** How loud each rule is, by its id; `require` by default. */
  readonly modes?: Readonly<Record<string, RuleMode>> | undefined;
}

/** Something that is still to be done. */
export interface RequiredAction {
  readonly id: string;
  /** The line of the checklist. */
  readonly instruction: string;
}

/** A finding about the turn, in one sentence. */
export interface Observation {
  readonly check: CheckId;
  readonly text: string;
  /** Whether it is a reason to block even where hygiene alone is not. */
  readonly isFailure: boolean;
  /** The calls that led to it, by their place in the turn, from 1; empty if it is about files alone. */
  readonly calls: readonly number[];
}

/** The verdict on a turn. */
export interface CheckpointResult {
  /** Ids of the categories that the changed files fall under, in the order of the table. */
  readonly categories: readonly string[];
  /** The lines of the checklist, in order. */
  readonly requiredActions: readonly string[];
  /** The findings, each one sentence. */
  readonly observations: readonly string[];
  /** Whether code changed, something was expected, all of it was done, and there are no observations. */
  readonly isAllClear: boolean;
  /** Whether no code changed. */
  readonly isCaptureOnly: boolean;
  /** The changed files by category. */
  readonly files: Categorization;
  /** The required actions with their ids. */
  readonly actions: readonly RequiredAction[];
  /** Ids of the calls that count as evidence for what was asked. */
  readonly evidence: readonly string[];
  /** The observations with the checks that made them. */
  readonly findings: readonly Observation[];
  /** The rules that found something and may not block for it, each with its mode: open actions, and failures. */
  readonly quiet: Readonly<Record<string, QuietMode>>;
}

/** A mode in which a rule is judged, and does not block. */
export type QuietMode = Extract<RuleMode, "advise" | "shadow">;
