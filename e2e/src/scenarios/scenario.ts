import type { AgentName } from "../cli-versions.ts";
import type { ScreenStep } from "../drive-screen.ts";
import type { ModelScript } from "../fake-models/model-script.ts";
import type { HookAnswers } from "../recorded-hooks.ts";

/** A session to be recorded: what is typed, what the model answers, what the hooks answer. */
export interface Scenario extends ModelScript {
  readonly agent: AgentName;
  /** The recording's file name, which says what it shows. */
  readonly name: string;
  /** What it shows, in a sentence for the folder's README. */
  readonly shows: string;
  readonly version?: string;
  readonly prompt: string;
  /** Files of the project, committed, and of the home folder. */
  readonly projectFiles?: Readonly<Record<string, string>>;
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Events with a recording hook, and what it answers. */
  readonly hookEvents?: readonly string[];
  readonly hookAnswers?: HookAnswers;
  /** Hook payloads worth keeping: the fixture's name, and which payload of the run it is. */
  readonly keptPayloads?: Readonly<Record<string, KeptPayload>>;
  readonly screenSteps?: readonly ScreenStep[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The model that Codex is told it talks to. */
  readonly model?: string;
  /** Further runs in the same home, after the first has ended: a session that is continued. */
  readonly followUps?: readonly FollowUp[];
}

/** One more run of the CLI in the home of a scenario. */
export interface FollowUp extends ModelScript {
  readonly prompt: string;
  readonly args?: readonly string[];
  /** How long after the run before. */
  readonly afterMs?: number;
}

/** One payload of a run: the event, and whether it was its first, second, … */
export interface KeptPayload {
  readonly event: string;
  readonly nth: number;
}

/** A project that every scenario can work on: one program and a test that fails while the program whispers. */
export const GREETER: Readonly<Record<string, string>> = {
  "src/greet.py": 'print("hello")\n',
  "check.sh":
    "#!/bin/sh\npython3 src/greet.py | grep -q HELLO || { echo 'too quiet' >&2; exit 3; }\necho 'loud enough'\n",
};
