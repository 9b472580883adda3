/** Whether work is saved automatically, or the agent only gets advice. */
export type SaveMode = (typeof SAVE_MODES)[number];

export const SAVE_MODES = ["normal", "autonomous"] as const;

/** The files that may be the status document. */
export type StatusDocument = (typeof STATUS_DOCUMENTS)[number];

export const STATUS_DOCUMENTS = ["CLAUDE.md", "AGENTS.md", "GEMINI.md"] as const;

/** How work is saved when the agent's context fills up. */
export interface SaveRules {
  readonly mode: SaveMode;
  /** In percent of the model's context. */
  readonly threshold: number;
  /** The model's context window in tokens, if nothing else shows it. */
  readonly contextWindow: number | null;
  readonly statusDocument: StatusDocument;
  /** The commit's message, with places for facts. */
  readonly message: string;
  /** Globs of branches that nothing is committed to. */
  readonly protectedBranches: readonly string[];
  readonly push: boolean;
  readonly coAuthor: boolean;
}

/** What holds without a config. */
export const SAVE_DEFAULTS: SaveRules = {
  mode: "normal",
  threshold: 40,
  contextWindow: null,
  statusDocument: "CLAUDE.md",
  message: "checkpoint: auto-checkpoint\n\n{facts}",
  protectedBranches: ["main", "master", "develop", "release/**"],
  push: false,
  coAuthor: true,
};
