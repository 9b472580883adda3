import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { AgentName } from "@agent-checkpoint/transcript";

/** One made-up turn: a prompt some minutes ago, one edit, and a stop now. */
export interface CanaryTurn {
  readonly sessionId: string;
  readonly promptId: string;
  readonly prompt: string;
  readonly lastMessage: string;
  /** The scratch repository, and the file in it that was edited. */
  readonly project: string;
  readonly file: string;
  readonly transcriptPath: string;
  readonly promptAt: Date;
  readonly stopAt: Date;
}

/** How an agent would tell its hooks of the turn, and what it takes for an answer. */
export interface CanaryAgent {
  /** The shell that the agent runs a hook's command in. */
  readonly shell: "sh" | "bash";
  /** The variables that the agent adds to its own. */
  readonly environment: (turn: CanaryTurn) => Readonly<Record<string, string>>;
  /** The turn as the agent's transcript tells it. */
  readonly transcript: (turn: CanaryTurn) => readonly object[];
  readonly promptEvent: (turn: CanaryTurn) => object;
  readonly stopEvent: (turn: CanaryTurn, isRepeated: boolean) => object;
  /** The word that blocks a stop. */
  readonly blocks: "block" | "deny";
}

/** The agents by name. */
export const CANARY_AGENTS: Readonly<Record<AgentName, CanaryAgent>> = { claude, gemini, codex };

/** What marks an event as a canary, whichever agent it claims to come from. */
export const CANARY_MARK = { agent_checkpoint_canary: true } as const;
