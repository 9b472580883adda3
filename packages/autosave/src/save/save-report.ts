import type { SaveRules } from "@agent-checkpoint/categories";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Refusal } from "./repository.ts";

/** The session whose work is saved, and how. */
export interface SaveRequest {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  readonly trigger: "stop" | "compaction" | "asked";
  readonly percent: number | null;
  readonly rules: SaveRules;
  readonly openActions: readonly string[];
  readonly failures: readonly string[];
  /** What was dirty when the session began; null if unknown. */
  readonly baseline: Readonly<Record<string, string>> | null;
  /** The folder of the store. */
  readonly home: string;
  readonly userHome: string;
  /** After how many days the snapshot before the save expires; by default 30. */
  readonly snapshotDays?: number | undefined;
  /** How long it may take all in all. */
  readonly budgetMs: number;
}

/** What a caller, a log or a test listens with. */
export interface SaveOptions {
  /** Called at every step with its result. */
  readonly onStep?: (step: string, detail?: string) => void;
}

/** The steps that can fail. */
export type SaveStep = "snapshot" | "commit" | "verify" | "lock" | "disk" | "unexpected";

/** The result of looking after a session's work. */
export type SaveOutcome =
  | "nothing-to-do"
  | `refused:${Refusal}`
  | "committed"
  | "committed-pushed"
  | "committed-push-deferred"
  | `failed:${SaveStep}`;

/** Everything that is reported about a save. */
export interface SaveReport {
  readonly outcome: SaveOutcome;
  readonly branch: string | null;
  readonly commit: string | null;
  /** The snapshot that was taken first. */
  readonly checkpoint: string | null;
  readonly restoreCommand: string | null;
  /** The files in the commit. */
  readonly files: readonly string[];
  /** The session's files that are not in it, each with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Files that were changed during the commit, perhaps by a hook. */
  readonly altered: readonly string[];
  /** The text of the status document's section. */
  readonly section: string | null;
  readonly nextStep: string | null;
  readonly detail: string | null;
  /** The push that remains to be done after the answer. */
  readonly pushLater: { readonly root: string; readonly branch: string; readonly commit: string } | null;
}

/** The report of a save that has done nothing yet. */
export const EMPTY = {
  branch: null,
  commit: null,
  checkpoint: null,
  restoreCommand: null,
  files: [],
  leftOut: {},
  altered: [],
  section: null,
  nextStep: null,
  detail: null,
  pushLater: null,
} as const;

/** A save and the number of its record; null if the store could not take it. */
export interface RecordedSave {
  readonly report: SaveReport;
  readonly record: number | null;
}

/** Whether the work is in a commit. */
export function isSaved(outcome: string): boolean {
  return outcome.startsWith("committed");
}

/** The part of a hook's answer for other programs. */
export interface AutonomousExecution {
  readonly enabled: boolean;
  readonly skill: "checkpoint";
  readonly executed_directly: boolean;
  readonly router_decision: {
    readonly outcome: string;
    readonly usage_percent: number | null;
    readonly threshold: number;
    readonly commit: string | null;
  };
}

/** The record of a save beside a hook's decision. */
export function executionOf(facts: {
  readonly outcome: string;
  readonly percent: number | null;
  readonly threshold: number;
  readonly commit: string | null;
}): AutonomousExecution {
  const { outcome, percent, threshold, commit } = facts;
  return {
    enabled: true,
    skill: "checkpoint",
    executed_directly: isSaved(outcome),
    router_decision: {
      outcome,
      usage_percent: percent === null ? null : Math.round(percent * 10) / 10,
      threshold,
      commit,
    },
  };
}
