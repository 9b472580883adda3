import type { Refusal } from "../git/read-repository.ts";

/** The steps that can fail. */
export type SaveStep = "safety_checkpoint" | "commit" | "verify" | "lock" | "unexpected";

/** What came of looking after a session's work. */
export type SaveOutcome =
  | "nothing_to_do"
  | `refused:${Refusal}`
  | "committed"
  | "committed_pushed"
  | "committed_push_deferred"
  | `failed:${SaveStep}`;

/** All that is said of a save. */
export interface SaveReport {
  readonly outcome: SaveOutcome;
  readonly branch: string | null;
  readonly commit: string | null;
  /** The safety checkpoint that was taken first. */
  readonly checkpoint: string | null;
  readonly restoreCommand: string | null;
  /** The files in the commit. */
  readonly files: readonly string[];
  /** The session's files that are not in it, each with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Files in the commit that somebody, a hook perhaps, changed on the way. */
  readonly altered: readonly string[];
  /** The text of the status document's section. */
  readonly section: string | null;
  readonly nextStep: string | null;
  readonly detail: string | null;
  /** What is left to be done after the answer. */
  readonly pushLater: { readonly root: string; readonly branch: string; readonly commit: string } | null;
}

/** Whether the work is in a commit. */
export function isSaved(outcome: string): boolean {
  return outcome.startsWith("committed");
}
