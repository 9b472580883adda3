/** A tool call that the scripted model makes, in the agent's own words. */
export interface ModelCall {
  readonly tool: string;
  /**
   * Arguments; a string for tools that take free text (Codex `apply_patch`, `exec`). `{{pattern}}` in a value stands for
   * the first group that the pattern last finds in the request (the id of a background command, for instance), `{{#…}}`
   * for that group as a number.
   */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** One answer of the scripted model: reasoning, then text, then tool calls (several are parallel ones), or an error. */
export interface ModelReply {
  readonly think?: string;
  readonly say?: string;
  readonly calls?: readonly ModelCall[];
  /** The request fails with this HTTP status. */
  readonly error?: { readonly status: number; readonly message: string };
  /** The answer is held back this long, so that it can be interrupted. */
  readonly holdMs?: number;
  /** The answer is held back until this file is there. */
  readonly holdUntilFile?: string;
  /** The calls come this long after the text, where the API sends both apart. */
  readonly pauseBeforeCallsMs?: number;
  /** The number of tokens of the conversation that the answer reports; large numbers make a CLI compact it. */
  readonly inputTokens?: number;
}

/** Everything the model will answer in a run. */
export interface ModelScript {
  /** Answers of the main conversation, in order. */
  readonly replies: readonly ModelReply[];
  /** Answers of other conversations (a sub-agent's, a compaction's), known by words in their first or last user message. */
  readonly routes?: readonly ModelRoute[];
  /** How many answers earlier runs of the same session gave; keeps the ids of this one different. */
  readonly answersBefore?: number;
}

/** The answers of one side conversation, in order. */
export interface ModelRoute {
  readonly words: string;
  readonly replies: readonly ModelReply[];
}
