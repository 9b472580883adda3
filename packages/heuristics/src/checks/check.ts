import type { Categorization, Rules } from "@agent-checkpoint/categories";
import type { ProjectPlace } from "../turn/project-path.ts";
import type { Turn } from "../turn/read-turn.ts";
import type { Observation } from "../types.ts";

/** What a check looks at. */
export interface CheckInput {
  readonly changedFiles: readonly string[];
  readonly files: Categorization;
  /** Null without a transcript. */
  readonly turn: Turn | null;
  readonly place: ProjectPlace;
  readonly rules: Rules;
  readonly workingSlug: string | null;
  readonly plan: string | null;
  readonly configFile: string | null;
}

/** Receives a turn, returns sentences, adds to nothing, knows no agent. */
export type Check = (input: CheckInput) => readonly Observation[];
