import type { AgentSettings, Hindrance, InstalledAgent, Registration, SettingsPlace } from "@agent-checkpoint/agents";
import type { CanaryOutcome } from "../canary/run-canary.ts";
import type { Machine } from "../machine/machine.ts";
import type { SettingsFile } from "./read-settings-files.ts";

/** What the checks of one agent look at. */
export interface AgentCase {
  readonly machine: Machine;
  readonly place: SettingsPlace;
  readonly settings: AgentSettings;
  /** The agent's program; null where it was not found. */
  readonly installed: InstalledAgent | null;
  readonly files: readonly SettingsFile[];
  /** Our hooks of this agent's own events. */
  readonly hooks: readonly OwnHook[];
  readonly hindrances: readonly Hindrance[];
  /** Whether this agent was asked about by name, or no agent has a hook of ours: then having none is a fault. */
  readonly isWanted: boolean;
  /** The hook program that belongs to this installation; null where there is none. */
  readonly ownProgram: string | null;
  /** What came of the canaries, one for each command. */
  readonly canaries: readonly SentCanary[];
  /** Why none could be sent; null where they could, or none were asked for. */
  readonly canaryProblem: string | null;
  /** How long Node itself takes to start, in the same run; null where it was not measured. */
  readonly nodeStartMs: number | null;
}

/** A hook that calls our program. */
export interface OwnHook extends Registration {
  readonly file: string;
  readonly scope: SettingsFile["scope"];
  readonly kind: "prompt" | "stop";
  readonly command: string;
}

/** A canary, and the hook that it went through. */
export interface SentCanary {
  readonly hook: OwnHook;
  readonly outcome: CanaryOutcome;
  /** How long a judged stop takes; null where it was not measured. */
  readonly stopMs: number | null;
  /** Whether its rows were found in the store; null where that could not be looked up. */
  readonly isRecorded: boolean | null;
  /** What the log says of it; null where it says nothing. */
  readonly logged: string | null;
}

/** Where a hook stands, for people. */
export function placeOf({ file, line }: Pick<OwnHook, "file" | "line">): string {
  return `${file}:${line}`;
}
