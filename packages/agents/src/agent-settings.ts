import type { AgentName } from "@agent-checkpoint/transcript";

/** Whose settings: a person's, for all their work, or a project's, for everybody who works on it. */
export type SettingsScope = "user" | "project";

/** Where settings are looked for. */
export interface SettingsPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly userHome: string;
  /** The root of the project. */
  readonly projectRoot: string;
}

/** An event of an agent that our program has an answer for. */
export interface HookEvent {
  /** The name that the agent gives it. */
  readonly name: string;
  /** What it is to us. */
  readonly kind: "prompt" | "stop";
  /** The first version of the agent that knows it. */
  readonly since: string;
}

/** The event before a tool runs, which is registered only where a config asks for the gate. */
export interface GateEvent extends Pick<HookEvent, "name" | "since"> {
  /** The tools that the agent is to call us for; null for all of them. */
  readonly matcher: string | null;
}

/** What keeps an agent from running hooks that are registered. */
export interface Hindrance {
  readonly id: "hooks-off" | "hook-disabled" | "folder-untrusted" | "folder-not-yet-trusted";
  /** The file that says so, or where the person's answer will be kept. */
  readonly file: string;
  /** One sentence each. */
  readonly what: string;
  readonly fix: string;
}

/** All that we know of an agent's settings. */
export interface AgentSettings {
  readonly agent: AgentName;
  /** The name that people know it by. */
  readonly title: string;
  /** The program that starts it, and the npm package that brings it. */
  readonly program: string;
  readonly packageName: string;
  /** The folder of a person's settings. */
  readonly homeFolder: (place: SettingsPlace) => string;
  /** The file that hooks are registered in. */
  readonly settingsFile: (scope: SettingsScope, place: SettingsPlace) => string;
  /** The events to register, in the order of a turn. */
  readonly events: readonly HookEvent[];
  readonly gateEvent: GateEvent;
  /** The event before a compaction, registered only where work is saved without asking; null where the agent has none that means it. */
  readonly compactionEvent: Pick<HookEvent, "name" | "since"> | null;
  /** The timeout of our hooks in the agent's own unit. */
  readonly timeout: { readonly value: number; readonly unit: "seconds" | "milliseconds" };
  /** The name of our hooks, where the agent's hooks have names. */
  readonly hookName: string | null;
  /** The project's folder, as a word for the shell that runs this agent's hooks. */
  readonly projectFolderWord: string;
  /** What the agent's own files say that keeps its hooks from running here. */
  readonly hindrances: (place: SettingsPlace) => readonly Hindrance[];
  /** What the person still has to do so that hooks in a file are run. */
  readonly nextSteps: (file: string, place: SettingsPlace, version: string | null) => readonly string[];
}
