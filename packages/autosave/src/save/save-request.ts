import type { SaveRules } from "@agent-checkpoint/categories";
import type { AgentName } from "@agent-checkpoint/transcript";

/** Whose work is to be saved, and how. */
export interface SaveRequest {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  readonly transcriptPath: string | null;
  readonly trigger: "stop" | "compaction" | "asked";
  readonly percent: number | null;
  readonly rules: SaveRules;
  readonly openActions: readonly string[];
  readonly failures: readonly string[];
  /** What was dirty when the session began; null where nobody noted it. */
  readonly baseline: Readonly<Record<string, string>> | null;
  /** The folder of the store. */
  readonly home: string;
  readonly userHome: string;
  /** How long it may take all in all. */
  readonly budgetMs: number;
}

/** What a caller, a log or a test listens with. */
export interface SaveOptions {
  /** Called at every step with what it came to. */
  readonly onStep?: (step: string, detail?: string) => void;
}
