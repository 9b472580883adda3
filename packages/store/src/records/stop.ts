import type { AgentName } from "@agent-checkpoint/transcript";
import type { Route } from "./route.ts";

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
}
