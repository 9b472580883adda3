import type { ModelScript } from "./fake-models/model-script.ts";
import type { ScreenStep } from "./drive-screen.ts";
import type { HookPayload } from "./recorded-hooks.ts";
import type { Performance } from "./stage.ts";

/** One run of an agent's CLI. */
export interface CliRunOptions {
  /** The pinned version to run; by default the newest. */
  readonly version?: string | undefined;
  readonly prompt: string;
  readonly script: ModelScript;
  readonly hooks?: readonly HookRegistration[] | undefined;
  /** Called when the CLI's settings are written, before it starts. */
  readonly setUp?: (() => Promise<unknown>) | undefined;
  /** The prompt of a second session, which runs headless beside the first. */
  readonly promptBeside?: string | undefined;
  /** Where given, the prompt is typed at the interactive screen and these steps follow. */
  readonly screenSteps?: readonly ScreenStep[] | undefined;
  readonly args?: readonly string[] | undefined;
  /** The model Codex is told it talks to; some are offered one code tool instead of shell and patch tools. */
  readonly model?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeLimitMs?: number | undefined;
}

/** A command line that the CLI is to run at an event, in the CLI's own name for it. */
export interface HookRegistration {
  readonly event: string;
  readonly command: string;
  /** In the CLI's own unit. */
  readonly timeout?: number | undefined;
}

/** The result of a run. */
export interface CliRun extends Performance {
  /** The session's transcript on this machine; null if the CLI wrote none. */
  readonly transcriptPath: string | null;
  /** The transcripts of its sub-agents, and what the CLI wrote about them. */
  readonly subagentPaths: readonly string[];
  /** What the recording hook received, if it was registered. */
  readonly hookPayloads: readonly HookPayload[];
}

/** The hooks as the three CLIs want them in their settings: commands by event. */
export function hookSettings(hooks: readonly HookRegistration[], timeout: number): Readonly<Record<string, unknown>> {
  const settings: Record<string, { hooks: unknown[] }[]> = {};
  for (const { event, command, timeout: ownTimeout = timeout } of hooks) {
    const [group] = (settings[event] ??= [{ hooks: [] }]);
    group?.hooks.push({ type: "command", command, timeout: ownTimeout });
  }
  return settings;
}
