import type { AgentSettings } from "../agent-settings.ts";
import { isAtLeast } from "../program/is-at-least.ts";

/** A hook that a settings file is to have. */
export interface WantedHook {
  readonly event: string;
  /** The tools that the hook is called for; none for all of them, and for events without tools. */
  readonly matcher?: string;
  /** The arguments of our program: a hook of ours with the same ones is the same hook. */
  readonly args: string;
  /** What is written. */
  readonly hook: {
    readonly name?: string;
    readonly type: "command";
    readonly command: string;
    readonly timeout: number;
  };
}

/** The hooks that an agent is to have: those of its events that the installed version knows, and the gate's where it is asked for. */
export function wantedHooks(
  settings: AgentSettings,
  {
    command,
    version,
    hasGate = false,
    isAutonomous = false,
  }: {
    readonly command: (args: string) => string;
    readonly version: string | null;
    readonly hasGate?: boolean;
    /** Whether work is saved without asking, so that the agent tells of a compaction. */
    readonly isAutonomous?: boolean;
  },
): readonly WantedHook[] {
  const { agent, events, gateEvent, compactionEvent, timeout, hookName } = settings;
  const args = `--agent ${agent}`;
  const name = hookName === null ? {} : { name: hookName };
  const plain = [...events, ...(isAutonomous && compactionEvent !== null ? [compactionEvent] : [])];
  return [...plain.map((event) => ({ ...event, matcher: null })), ...(hasGate ? [gateEvent] : [])]
    .filter(({ since }) => version === null || isAtLeast(version, since))
    .map((event) => ({
      event: event.name,
      ...(event.matcher === null ? {} : { matcher: event.matcher }),
      args,
      hook: { ...name, type: "command", command: command(args), timeout: timeout.value },
    }));
}
