import type { PromptEvent, StopEvent } from "@agent-checkpoint/gate";
import type { CallTarget } from "@agent-checkpoint/snapshots/gate";

/** An event of an agent, in our words. */
export type HookEvent =
  | PromptEvent
  | StopEvent
  | ToolEvent
  | CompactionEvent
  | { readonly type: "other"; readonly name: string };

/** A tool is about to run. */
export interface ToolEvent {
  readonly type: "tool";
  /** The agent's name of it. */
  readonly tool: string;
  /** What it is about to change; null where it changes nothing that we know of. */
  readonly target: CallTarget | null;
  readonly projectPath: string;
  /** The folder that its relative paths start from. */
  readonly cwd: string;
}

/** The agent is about to replace its context by a summary. */
export interface CompactionEvent extends Omit<PromptEvent, "type" | "text" | "isHuman"> {
  readonly type: "compaction";
}
