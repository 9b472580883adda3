import type { AgentName } from "@agent-checkpoint/transcript";
import type { ManagedChannel } from "./settings/managed.ts";
import type { HooksForm } from "./settings/plan.ts";
import type { Registration } from "./settings/registrations.ts";
import type { SettingsSyntax } from "./settings/syntax.ts";

/** Everything we know about one coding agent, except its hook protocol (`wire.ts`) and its transcripts. */
export interface Agent {
  readonly name: AgentName;
  /** The name that users know. */
  readonly title: string;
  /** The program that starts it, and the npm package that contains it. */
  readonly program: string;
  readonly packageName: string;
  readonly environment: AgentEnvironment;
  /** The folder of a person's settings. */
  readonly homeFolder: (home: PersonalPlace) => string;
  /** The folder of a project's settings, from the project's root. */
  readonly projectFolder: string;
  /** The folders with a person's own sessions. */
  readonly transcriptFolders: (home: PersonalPlace) => readonly string[];

  /** The file that we register hooks in. */
  readonly settingsFile: (scope: SettingsScope, place: SettingsPlace) => string;
  /** How our hooks are written into that file, read there and removed again. */
  readonly hooksForm: HooksForm;
  /** What its parser of that file accepts beyond JSON; it silently runs no hooks of a file with anything else. */
  readonly settingsSyntax: SettingsSyntax;
  /** Further files that the agent reads hooks from here, among them those of our plugin if it is enabled. */
  readonly otherSettingsFiles: (place: SettingsPlace) => readonly string[];
  /** The events to register, in the order of a turn. */
  readonly events: readonly HookEvent[];
  /** The event before a tool runs, registered only if a config asks for the gate. */
  readonly gateEvent: GateEvent;
  /** The event before a compaction, registered only if work is saved without asking; null if the agent has no such event. */
  readonly compactionEvent: Pick<HookEvent, "name" | "since"> | null;
  /** The timeout of our hooks in the agent's own unit. */
  readonly timeout: { readonly value: number; readonly unit: "seconds" | "milliseconds" };
  /** The name of our hooks; null if the agent's hooks have no names. */
  readonly hookName: string | null;
  /** The project's folder, as a word for the shell that runs this agent's hooks. */
  readonly projectFolderWord: string;

  /** Why this version of the agent runs none of the hooks in these files; null if it does. */
  readonly versionProblem: (version: string, files: readonly HooksFile[]) => Problem | null;
  /** The entries in the agent's own files that keep its hooks from running here. */
  readonly blockers: (place: SettingsPlace) => readonly Blocker[];
  /** Whether the person has allowed our hooks in these files; empty if the agent does not ask. */
  readonly trust: (
    files: readonly HooksFile[],
    place: SettingsPlace,
    version: string | null,
  ) => readonly TrustFinding[];
  /** What the person still has to do so that hooks in a file are run. */
  readonly nextSteps: (file: string, place: SettingsPlace, version: string | null) => readonly string[];
  /** How a checkpoint reaches the agent without a hook; null if it cannot. */
  readonly otherRoute: OtherRoute | null;
  /** How an organization gives hooks to everybody who uses it; null if we know of no way. */
  readonly managed: ManagedChannel | null;
  readonly canary: Canary;
}

/** A person's environment and home folder. */
export interface PersonalPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/** Where settings are looked for. */
export interface SettingsPlace extends PersonalPlace {
  readonly projectRoot: string;
  /** The folder below which the machine's own settings are looked for; its root unless a test says otherwise. */
  readonly systemRoot?: string | undefined;
}

/** Whose settings: a user's, for all their work, or a project's, for everyone who works on it. */
export type SettingsScope = "user" | "project";

/** The variables that an agent sets for the commands it runs. */
export interface AgentEnvironment {
  /** Each of them shows that a command was run by this agent. */
  readonly signs: readonly string[];
  /** The variable with the session's id. */
  readonly session: string;
  /** All that it sets for commands and hooks. */
  readonly all: RegExp;
}

/** An event of an agent that our program answers. */
export interface HookEvent {
  /** Its name in the agent. */
  readonly name: string;
  readonly kind: "prompt" | "stop";
  /** The first version of the agent that knows it. */
  readonly since: string;
}

/** The event before a tool runs. */
export interface GateEvent extends Pick<HookEvent, "name" | "since"> {
  /** The tools that the agent is to call us for; null for all of them. */
  readonly matcher: string | null;
}

/** A file with hooks that an agent reads. */
export interface HooksFile {
  readonly path: string;
  readonly scope: SettingsScope;
  readonly registrations: readonly Registration[];
}

/** What is wrong, and what to do about it: one sentence each. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}

/** What prevents an agent from running registered hooks. */
export interface Blocker extends Problem {
  readonly id: "hooks-off" | "hook-disabled" | "folder-untrusted" | "folder-not-yet-trusted";
  /** The file that records it, or that will record the person's answer. */
  readonly file: string;
}

/** Hooks that the person has allowed, or why the agent skips them. */
export type TrustFinding = { readonly ok: true; readonly what: string } | ({ readonly ok: false } & Problem);

/** A route to the agent that needs no hook. */
export interface OtherRoute {
  /** The command that a user runs for it. */
  readonly command: string;
  /** The first version of the agent that it serves. */
  readonly since: string;
  /** What delivers by it now, found in the store's folder; null if nothing does. */
  readonly find: (home: string) => string | null;
}

/** A test turn: a prompt some minutes ago, one edit, and a stop now. */
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

/** How an agent reports a test turn to its hooks, and which answer it understands. */
export interface Canary {
  /** The shell that the agent runs a hook's command in. */
  readonly shell: "sh" | "bash";
  /** The variables that the agent adds to its own. */
  readonly environment: (turn: CanaryTurn) => Readonly<Record<string, string>>;
  /** The lines of the turn's transcript. */
  readonly transcript: (turn: CanaryTurn) => readonly object[];
  readonly promptEvent: (turn: CanaryTurn) => object;
  readonly stopEvent: (turn: CanaryTurn, isRepeated: boolean) => object;
  /** The decision that blocks a stop. */
  readonly blocks: "block" | "deny";
}
