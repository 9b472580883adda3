import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { claudeEvents } from "../fixtures/src/index.ts";
import type { Answer, Call } from "./candidate.ts";
import type { Command } from "./measuring/command.ts";
import { EDITED_FILE } from "./staging/stage-repository.ts";
import type { Place, Stage } from "./staging/stage.ts";

/** A build of the hook; each keeps its records in a home of its own. */
export interface Build {
  /** Shown in the tables if there are several. */
  readonly name: string;
  readonly program: string;
}

/** An event that the hook is measured with. */
export interface HookCase extends Place {
  readonly id: string;
  readonly label: string;
  readonly answer: Answer;
  readonly events: (session: SessionCommands) => Call;
}

/** The commands of one new session. */
export interface SessionCommands {
  readonly prompt: Command;
  /** A stop so many seconds after the prompt, with fields changed. */
  readonly stop: (seconds: number, changes?: object) => Command;
  /** The same stop of another session, which finds that this one was asked about its content already. */
  readonly another: { readonly prompt: Command; readonly stop: (seconds: number) => Command };
}

const JUDGED_AFTER = 240;

const promptedFirst = ({ prompt }: SessionCommands): Call => ({ measured: [prompt] });

const stoppedSoon = ({ prompt, stop }: SessionCommands): Call => ({ before: [prompt], measured: [stop(5)] });

const prompted = ({ prompt, stop }: SessionCommands): Call => ({ before: [prompt], measured: [stop(JUDGED_AFTER)] });

/** Everything is looked at, as for a block, and nothing is left to be said. */
const judgedAndPassed = ({ prompt, stop, another }: SessionCommands): Call => ({
  before: [prompt, another.prompt],
  blocked: [stop(JUDGED_AFTER)],
  measured: [another.stop(JUDGED_AFTER)],
});

const SMALL = { files: 100, megabytes: 1 } as const;
const WITH_CONFIG = { ...SMALL, hasConfig: true } as const;

/** What the hook is asked, from the least work to the most. */
export const HOOK_CASES: readonly HookCase[] = [
  {
    id: "flag",
    label: "stop passed by its flag",
    answer: "nothing",
    ...SMALL,
    events: ({ stop }) => ({ measured: [stop(JUDGED_AFTER, { stop_hook_active: true })] }),
  },
  {
    id: "timer",
    label: "stop passed by the timer",
    answer: "nothing",
    ...SMALL,
    events: stoppedSoon,
  },
  {
    id: "prompt-first",
    label: "first prompt of a session",
    answer: "nothing",
    ...SMALL,
    events: promptedFirst,
  },
  {
    id: "prompt-later",
    label: "later prompt of a session",
    answer: "nothing",
    ...SMALL,
    events: ({ prompt }) => ({ before: [prompt], measured: [prompt] }),
  },
  {
    id: "pass",
    label: "judged stop that passes",
    answer: "nothing",
    ...SMALL,
    events: judgedAndPassed,
  },
  ...[0.1, 1, 10, 50, 500].map((megabytes): HookCase => ({
    id: `block-${megabytes}`,
    label: `blocking stop, transcript of ${megabytes} MB`,
    answer: "block",
    files: 100,
    megabytes,
    events: prompted,
  })),
  {
    id: "timer-config",
    label: "stop passed by the timer, repository with a config",
    answer: "nothing",
    ...WITH_CONFIG,
    events: stoppedSoon,
  },
  {
    id: "prompt-config",
    label: "first prompt of a session, repository with a config",
    answer: "nothing",
    ...WITH_CONFIG,
    events: promptedFirst,
  },
  {
    id: "block-config",
    label: "blocking stop, transcript of 50 MB, repository with a config",
    answer: "block",
    ...WITH_CONFIG,
    megabytes: 50,
    events: prompted,
  },
  ...[10_000, 100_000].map((files): HookCase => ({
    id: `files-${files}`,
    label: `blocking stop, repository of ${files.toLocaleString("en-US")} files`,
    answer: "block",
    files,
    megabytes: 1,
    events: prompted,
  })),
];

/** A case's id, with the build if there are several. */
export function idIn({ name }: Build, id: string): string {
  return name === "" ? id : `${id}@${name}`;
}

/** The commands of a new session with a build of the hook. */
export function newSession(build: Build, place: Place, stage: Stage): SessionCommands {
  const facts = { ...stage.facts(place), sessionId: randomUUID() };
  // A content that was asked about before is not asked about again: every session finds another one.
  appendFileSync(join(facts.projectPath, EDITED_FILE), "\n");
  const { prompt, stop, projectVariable } = claudeEvents(facts, stage.transcript(place));
  const other = { session_id: randomUUID(), prompt_id: randomUUID() };
  const command = (event: object, seconds: number): Command => ({
    ...startOf(build, ["--agent", "claude"]),
    cwd: facts.projectPath,
    env: {
      ...stage.env,
      [projectVariable]: facts.projectPath,
      CHECKPOINT_HOME: join(stage.folder, `home-${build.name}`),
      CHECKPOINT_NOW: new Date(facts.promptAt.getTime() + seconds * 1000).toISOString(),
    },
    stdin: JSON.stringify(event),
  });
  return {
    prompt: command(prompt, 0),
    stop: (seconds, changes = {}) => command({ ...stop, ...changes }, seconds),
    another: {
      prompt: command({ ...prompt, ...other }, 0),
      stop: (seconds) => command({ ...stop, ...other }, seconds),
    },
  };
}

/** Whether a build needs no Node to start it. */
export function isExecutable({ program }: Build): boolean {
  return !program.endsWith(".cjs");
}

function startOf(build: Build, args: readonly string[]): Pick<Command, "program" | "args"> {
  const { program } = build;
  return isExecutable(build) ? { program, args } : { program: process.execPath, args: [program, ...args] };
}
