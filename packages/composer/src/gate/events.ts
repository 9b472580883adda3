import type { SessionEvent, StopEvent } from "@agent-checkpoint/agents/wire";
import type { Route } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

export type { PromptEvent, SessionEvent, StopEvent } from "@agent-checkpoint/agents/wire";

/** A moment of a session that is judged as a stop; what only the agent's own stop event tells may be missing. */
export type Moment = SessionEvent & Partial<Omit<StopEvent, "type">>;

/** Where and when an event is handled. */
export interface Place {
  readonly agent: AgentName;
  /** The folder of the store. */
  readonly home: string;
  readonly now: Date;
  /** The working slug of sessions whose record has none. */
  readonly workingSlug: string | null;
  /** The way the message takes to the agent. */
  readonly route: Route;
  /** Whether the event was made up to see that the hook works; false by default. */
  readonly isCanary?: boolean;
}

/** How an event ended: with a problem for the log, where there was one. */
export interface Outcome {
  readonly problem: string | null;
}
