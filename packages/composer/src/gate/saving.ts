import type { SaveRules } from "@agent-checkpoint/categories";
import type { CheckpointResult } from "@agent-checkpoint/heuristics";
import type { ContextMark, Session } from "@agent-checkpoint/store";
import type { StopEvent } from "./events.ts";

/** Looks after a session's work when its context fills up; the gate only asks when, and shares the turn's one block. */
export interface Saving {
  /** Whether work is saved without anybody being asked, and so at stops that pass as well. */
  readonly isAutonomous: (rules: SaveRules) => boolean;
  /** Whether work is to be saved at this stop; asked at every stop that is weighed, so it is quick. */
  readonly look: (facts: SaveFacts) => SaveLook | Promise<SaveLook>;
  /** Saves it. */
  readonly save: (facts: SaveFacts, result: CheckpointResult | null) => Promise<SavedWork>;
  /** Tells the agent's human beside a stop that passes. */
  readonly tell: (extras: AnswerExtras) => void;
}

/** What is known of the session whose work it is. */
export interface SaveFacts {
  readonly event: StopEvent;
  readonly session: Session | null;
  readonly rules: SaveRules;
}

/** What came of looking. */
export interface SaveLook {
  readonly isDue: boolean;
  readonly outcome: string;
  /** A sentence for a message that goes out anyway. */
  readonly advice: string | null;
  /** What is to be remembered; undefined leaves it as it is. */
  readonly mark?: ContextMark | undefined;
  /** What is to be remembered once the advice has been given. */
  readonly markIfAdvised?: ContextMark | undefined;
}

/** What came of saving. */
export interface SavedWork {
  readonly outcome: string;
  /** The paragraph for the agent; null where there is nothing to say. */
  readonly message: string | null;
  readonly extras: AnswerExtras;
  readonly mark?: ContextMark | undefined;
}

/** What an answer says beside its decision. */
export interface AnswerExtras {
  /** For the human. */
  readonly systemMessage: string;
  /** For programs that read what hooks answered. */
  readonly execution: object;
}
