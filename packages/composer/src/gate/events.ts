/** What every event of a session tells. */
interface InSession {
  readonly sessionId: string | null;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  /** The agent's own id of the turn's opening prompt. */
  readonly promptId: string | null;
}

/** Somebody or something spoke to the agent. */
export interface PromptEvent extends InSession {
  readonly type: "prompt";
  readonly text: string;
  /** Whether a human spoke: an agent also reports its own notifications as prompts. */
  readonly isHuman: boolean;
}

/** The agent wants to end its turn, or has ended it. */
export interface StopEvent extends InSession {
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
