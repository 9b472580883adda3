import type { AgentName } from "@agent-checkpoint/transcript";
import type { Route } from "./route.ts";
import type { StopTrail } from "./stop-trail.ts";

/** One stop of an agent and what became of it. */
export interface Stop {
  readonly agent: AgentName;
  /** Empty where the event named no session. */
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly turn: string | null;
  readonly at: Date;
  readonly decision: "block" | "pass";
  /** Why it was blocked or passed, in kebab-case. */
  readonly reason: string;
  /** The ids of the actions asked for. */
  readonly actions: readonly string[];
  readonly observations: readonly string[];
  readonly durationMs: number;
  /** The way the message took, or would have taken; the hook unless given. */
  readonly route?: Route | undefined;
  /** Whether the stop was made up to see that the hook works; false unless given. */
  readonly isCanary?: boolean | undefined;
  /** What it was judged on; null unless given, and for a stop that came by the journal. */
  readonly trail?: StopTrail | null | undefined;
  /** What came of saving the session's work at this stop; absent where that was not tried. */
  readonly save?: string | null | undefined;
}

/** A stop as it is in the store. */
export interface StoredStop extends Stop {
  /** Its number, by which a person can name it. */
  readonly id: number;
  readonly route: Route;
  readonly isCanary: boolean;
  readonly trail: StopTrail | null;
}
