import type { AgentName } from "@agent-checkpoint/transcript";

/** A hook that a settings file registers. */
export interface Registration {
  readonly event: string;
  /** Its place among the event's groups, and in its group. */
  readonly groupIndex: number;
  readonly hookIndex: number;
  /** The line that it begins on, counted from 1. */
  readonly line: number;
  readonly matcher: string | null;
  /** `command` for all of ours. */
  readonly type: string | null;
  /** The command line; null where there is none. */
  readonly command: string | null;
  /** The timeout as it stands there, in the agent's unit; null where there is none. */
  readonly timeout: number | string | null;
  readonly name: string | null;
  /** Whether the hook calls our program. */
  readonly isOurs: boolean;
  /** What our program is called with; null for a hook that is not ours. */
  readonly call: HookCall | null;
}

/** A command line that calls our program. */
export interface HookCall {
  /** The agent that it is told to serve; null where that is none of ours. */
  readonly agent: AgentName | null;
  /** The arguments of the program, as they are written. */
  readonly args: string;
  /** Whether it has the form that `init` writes; anything else is a command of the person's own. */
  readonly isWrittenByInit: boolean;
  /** The node and the program that it names by absolute path; null where they come from the PATH. */
  readonly node: string | null;
  readonly program: string | null;
}

/** Why a settings file cannot be worked with, and where. */
export interface SettingsProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}
