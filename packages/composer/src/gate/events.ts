import type { SessionEvent, StopEvent } from "@agent-checkpoint/agents/wire";
import type { Route } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

export type { PromptEvent, SessionEvent, StopEvent } from "@agent-checkpoint/agents/wire";

/** A moment of a session that is judged as a stop; the fields that only a stop event has may be missing. */
export type Moment = SessionEvent & Partial<Omit<StopEvent, "type">>;

/** Where and when an event is handled. */
export interface Place {
  readonly agent: AgentName;
  /** The folder of the store. */
  readonly home: string;
  readonly now: Date;
  /** The working slug of sessions whose record has none. */
  readonly workingSlug: string | null;
  /** The route of the message to the agent. */
  readonly route: Route;
  /** Whether the event is a test of the hook; false by default. */
  readonly isCanary?: boolean;
}

/** How an event ended, with a problem for the log if there was one. */
export interface Outcome {
  readonly problem: string | null;
}
