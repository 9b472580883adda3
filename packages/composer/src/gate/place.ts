import type { KeptRules } from "../rules.ts";
import type { Route } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

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
  /** Whether the event was made up to see that the hook works; false unless given. */
  readonly isCanary?: boolean;
  /** What configs came to before; every event finds out anew where it is not given. */
  readonly keptRules?: KeptRules | undefined;
}

/** How an event ended: with a problem for the log, where there was one. */
export interface Outcome {
  readonly problem: string | null;
}
