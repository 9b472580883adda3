import type { Route } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

/** What every event of a session tells. */
export interface SessionEvent {
  readonly sessionId: string | null;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  /** The agent's own id of the turn's opening prompt. */
  readonly promptId: string | null;
}

/** Somebody or something spoke to the agent. */
export interface PromptEvent extends SessionEvent {
  readonly type: "prompt";
  readonly text: string;
  /** Whether a human spoke: an agent also reports its own notifications as prompts. */
  readonly isHuman: boolean;
}

/** The agent wants to end its turn, or has ended it. */
export interface StopEvent extends SessionEvent {
  readonly type: "stop";
  /** The agent says that a hook has blocked this turn before. */
  readonly isRepeated: boolean;
  /** Why this stop is not ours to judge, whatever changed. */
  readonly exemption: "plan-mode" | "background-tasks" | "no-response-text" | "sub-agent" | null;
  /** The human's prompt as the agent reports it at the stop. */
  readonly promptText: string | null;
  /** The last reply, where the transcript may not hold it yet. */
  readonly lastMessage: string | null;
}

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
