import type { RuleMode } from "@agent-checkpoint/categories";
import type { Mask } from "@agent-checkpoint/commands";
import type { CheckpointResult, Observation } from "../types.ts";

/** The explanation of a verdict. */
export interface Explanation {
  /** The verdict itself, as `runHeuristics` gives it. */
  readonly result: CheckpointResult;
  /** Every changed file and the patterns it matched. */
  readonly files: readonly FileExplanation[];
  /** Every action of the rules, in the order of the checklist. */
  readonly actions: readonly ActionExplanation[];
  readonly observations: readonly ObservationExplanation[];
  /** How many calls the turn has; null without a transcript. */
  readonly callCount: number | null;
}

/** The categories that a changed file falls under. */
export type FileExplanation =
  | { readonly file: string; readonly status: "covered"; readonly matches: readonly PatternMatch[] }
  | { readonly file: string; readonly status: "document"; readonly pattern: string }
  | { readonly file: string; readonly status: "without-rule" };

/** A category that covers a file, the pattern that matched, and the action it asks for. */
export interface PatternMatch {
  readonly category: string;
  readonly label: string;
  /** The pattern as far as the file matched it: of alternatives in braces only the matching one. */
  readonly pattern: string;
  readonly action: string | null;
  readonly asksForTests: boolean;
}

/** Whether an action was asked for, by what, and what the turn shows of it. */
export interface ActionExplanation {
  readonly id: string;
  readonly status: "open" | "done" | "not-asked";
  /** How loud it is: in `shadow` and `off`, the agent is told nothing of it. */
  readonly mode: RuleMode;
  /** Whether it is asked for at every stop. */
  readonly isBaseline: boolean;
  /** The changed files that ask for it. */
  readonly askedBy: readonly string[];
  /** The turn's last change to a file that it is about. */
  readonly lastChange: { readonly file: string; readonly call: CallReference } | null;
  readonly steps: readonly StepExplanation[];
}

/** A step of an action and every call that might have been it. */
export interface StepExplanation {
  readonly run: string;
  /** `not-reached`: a step before it is missing. `unknown`: there is no transcript to look in. */
  readonly status:
    | "found"
    | "absent"
    | "stale"
    | "failed"
    | "masked"
    | "unfinished"
    | "empty"
    | "not-reached"
    | "unknown";
  readonly candidates: readonly Candidate[];
}

/** A call that is evidence, or looks like it. */
export interface Candidate {
  readonly call: CallReference;
  readonly verdict: CandidateVerdict;
}

/** Why a call counts as evidence or does not. */
export type CandidateVerdict =
  | { readonly status: "counted" }
  // Would count if there were no later one.
  | { readonly status: "repeated" }
  // A file that the action is about was changed after it, by the call with that number.
  | { readonly status: "stale"; readonly file: string; readonly changedBy: number }
  // The step before it was run after it.
  | { readonly status: "too-early"; readonly before: string }
  | { readonly status: "failed"; readonly exitCode: number | null }
  | { readonly status: "refused" }
  | { readonly status: "masked"; readonly by: Mask | null }
  | { readonly status: "unfinished" }
  // It ran no tests.
  | { readonly status: "empty" }
  // Outside the project.
  | { readonly status: "elsewhere"; readonly folder: string | null }
  | { readonly status: "dry-run" }
  // In an argument of that program; null for a comment, a heredoc or a string.
  | { readonly status: "mentioned"; readonly by: string | null };

/** A finding with the calls that led to it. */
export interface ObservationExplanation extends Omit<Observation, "calls"> {
  readonly calls: readonly CallReference[];
}

/** A call of the turn. */
export interface CallReference {
  /** Its place in the turn, from 1. */
  readonly number: number;
  readonly id: string;
  /** The shape of its command line, or the tool and its file, relative to the project if it lies in it. */
  readonly what: string;
  readonly at: Date | null;
  readonly by: "main" | "subagent";
}
