/** How one agent speaks to its hooks. */
export interface Wire {
  readonly parse: (payload: Payload, env: Environment) => ParsedEvent;
  /** The answer that blocks a stop; it mentions a save if the agent's schema has room for it. */
  readonly block: (message: string, extras?: AnswerExtras) => object;
  /** The answer that lets a stop pass, with a message for the human. */
  readonly tell: (extras: AnswerExtras) => object;
  /** The answer that keeps a tool from running. */
  readonly deny: (message: string) => object;
  /** The answer that lets the agent go on; null if that is silence. */
  readonly pass: object | null;
  /** How many turns a run may take, by the command line that the agent was started with; null if there is no limit. */
  readonly maxTurns?: (argv: readonly string[]) => number | null;
  /** The largest context window, in tokens, that the user's variables allow; null if they set no limit. */
  readonly maxWindow?: (env: Environment) => number | null;
  /** A log of the user's own that gets a line for each save without asking, if its folder exists. */
  readonly saveLog?: (userHome: string) => string;
  /** How the agent signs a commit that a hook makes for it; null if it has no signature of its own. */
  readonly coAuthor: string | null;
}

/** The variables that the hook was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A payload as it came from stdin. */
export type Payload = Readonly<Record<string, unknown>>;

/** An event, or why the payload is not one. */
export type ParsedEvent =
  | { readonly ok: true; readonly event: HookEvent }
  | { readonly ok: false; readonly detail: string };

/** An event of an agent, in our words. */
export type HookEvent =
  | PromptEvent
  | StopEvent
  | ToolEvent
  | CompactionEvent
  | { readonly type: "other"; readonly name: string };

/** The fields of every event of a session. */
export interface SessionEvent {
  readonly sessionId: string | null;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  /** The agent's own id of the turn's opening prompt. */
  readonly promptId: string | null;
}

/** A person or a program spoke to the agent. */
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
  /**
   * Only of an agent that may still go on by itself while it is answered: a block of a `tentative` stop counts once the
   * stop is reported again as `delivered`, since the agent may take it back before.
   */
  readonly stage?: "tentative" | "delivered";
  /** Why this stop is not judged, whatever changed. */
  readonly exemption: "plan-mode" | "no-response-text" | "sub-agent" | null;
  /** The ids of the tasks that run in the background, if the agent reports them. */
  readonly runningTasks?: readonly string[];
  /** The human's prompt as the agent reports it at the stop. */
  readonly promptText: string | null;
  /** The last reply, if the transcript may not hold it yet. */
  readonly lastMessage: string | null;
  /**
   * Only of an agent that goes by the answer of the last hook that it asks: what it tells all of them alike of this stop, and of
   * no other of the session.
   */
  readonly occasion?: string | null;
}

/** A tool is about to run. */
export interface ToolEvent {
  readonly type: "tool";
  /** The agent's name of it. */
  readonly tool: string;
  /** What it is about to change; null if it changes nothing that we know of. */
  readonly target: ToolTarget | null;
  readonly sessionId: string | null;
  readonly projectPath: string;
  /** The folder that its relative paths start from. */
  readonly cwd: string;
}

/** What a tool is about to change: files, or whatever a command line changes. */
export type ToolTarget =
  | { readonly kind: "files"; readonly files: readonly string[] }
  | { readonly kind: "shell"; readonly command: string };

/** The agent is about to replace its context by a summary. */
export interface CompactionEvent extends SessionEvent {
  readonly type: "compaction";
}

/** What an answer contains besides its decision. */
export interface AnswerExtras {
  /** For the human. */
  readonly systemMessage: string;
  /** For programs that read what hooks answered; absent if no work was saved. */
  readonly execution?: object | undefined;
}
