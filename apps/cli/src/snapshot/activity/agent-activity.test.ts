import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withStore } from "../../with-store.ts";
import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import type { Environment } from "../../environment.ts";
import { type CliRun, runCheckpoint } from "../../testing/run-checkpoint.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";

const FIXTURES = fileURLToPath(new URL("../../../../../packages/transcript/fixtures", import.meta.url));
const SESSION = "a27f89cf-0000-4000-8000-000000000002";
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** A recording as if its prompt had been sent at another time. */
function recordingAt(recording: string, promptAt: Date): string {
  const text = readFileSync(join(FIXTURES, recording), "utf8");
  const recorded = /"type":"user".*?"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "";
  const shift = promptAt.getTime() - new Date(recorded).getTime();
  return text.replaceAll(
    /"timestamp":"([^"]+)"/g,
    (_, time: string) => `"timestamp":"${new Date(new Date(time).getTime() + shift).toISOString()}"`,
  );
}

/** A repository with a checkpoint of ten minutes ago, an agent's change of nine minutes ago, and a person's of now. */
async function changedByBoth({ env = {} }: { readonly env?: Environment["env"] } = {}) {
  const folder = scratchFolder();
  const cwd = join(folder, "app");
  const [home, userHome] = [join(folder, "home"), join(folder, "user")];
  for (const path of [cwd, userHome, join(cwd, "src")]) mkdirSync(path);
  writeFileSync(join(cwd, "src/greet.py"), 'print("hello")\n');
  writeFileSync(join(cwd, "notes.md"), "first\n");
  execFileSync("git", ["init", "--quiet"], { cwd });
  execFileSync("git", ["add", "--all"], { cwd });
  const run = (args: readonly string[], given: Partial<Environment> = {}): Promise<CliRun> =>
    runCheckpoint(["snapshot", ...args, "--json"], { cwd, home, userHome, env, ...given });
  const made = await run(["create", "."], { now: () => minutesAgo(10) });
  const { checkpoint } = JSON.parse(made.stdout) as { readonly checkpoint: { readonly id: string } };
  const turnAt = minutesAgo(9);
  writeFileSync(join(cwd, "src/greet.py"), 'print("HELLO")\n');
  const written = new Date(turnAt.getTime() + 250);
  utimesSync(join(cwd, "src/greet.py"), written, written);
  writeFileSync(join(cwd, "notes.md"), "by a person\n");
  return {
    cwd,
    run,
    id: checkpoint.id,
    files: () => [readFileSync(join(cwd, "src/greet.py"), "utf8"), readFileSync(join(cwd, "notes.md"), "utf8")],
    /** Lets the hook have heard of a session, whose transcript holds this text. */
    hear: async (
      text: string | null,
      { agent = "claude", at = turnAt }: { readonly agent?: AgentName; readonly at?: Date } = {},
    ): Promise<void> => {
      const transcriptPath = join(folder, `${agent}.jsonl`);
      if (text !== null) writeFileSync(transcriptPath, text);
      const prompt = { agent, sessionId: SESSION, projectPath: cwd, transcriptPath, turn: "t", at };
      await withStore(home, (store) => store.sessions.prompt(prompt));
    },
    turn: recordingAt("claude/file-changed-by-bash.jsonl", turnAt),
  };
}

const CHANGED = ['print("HELLO")\n', "by a person\n"];
const THEN = ['print("hello")\n', "first\n"];

test("what a person changed after the agent's turn is refused, unless forced, and then recoverable", async () => {
  const { run, id, files, hear, turn } = await changedByBoth();
  await hear(turn);
  const refused = await run(["restore", id]);
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "Somebody else has changed 1 of the files: `notes.md` (it was changed while no agent was at work).",
    ),
  });
  expect(files()).toEqual(CHANGED);
  expect(await run(["restore", id, "--dry-run"])).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("`notes.md`"),
  });
  const forced = await run(["restore", id, "--force"]);
  expect(forced).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("`notes.md`") });
  expect(files()).toEqual(THEN);
  const { undo } = JSON.parse(forced.stdout) as { readonly undo: { readonly checkpoint_id: string } };
  expect(await run(["restore", undo.checkpoint_id])).toMatchObject({ exitCode: 0 });
  expect(files()).toEqual(CHANGED);
});

test("what the agent changed in its turn is not refused", async () => {
  const { run, id, files, hear, turn } = await changedByBoth();
  await hear(turn);
  expect(await run(["restore", id, "--scope", "src"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(files()).toEqual([THEN[0], CHANGED[1]]);
});

type Staged = Awaited<ReturnType<typeof changedByBoth>>;
/** What is said where times could not be used, and where they were. */
const NOBODY_KNOWS = /^note: No work of an agent is known since the checkpoint/;
const NOTHING = /^$/;
const OF_THE_SESSION = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

const allowed: readonly {
  what: string;
  env?: Environment["env"];
  stage: (staged: Staged) => Promise<void>;
  note: RegExp;
}[] = [
  { what: "no session is known", stage: async () => undefined, note: NOBODY_KNOWS },
  { what: "the transcript is gone", stage: ({ hear }) => hear(null), note: NOBODY_KNOWS },
  {
    what: "the transcript tells no times",
    stage: ({ hear }) =>
      hear(readFileSync(join(FIXTURES, "codex/shell-calls-0.20.0.jsonl"), "utf8"), { agent: "codex" }),
    note: NOBODY_KNOWS,
  },
  {
    what: "the session ended before the checkpoint",
    stage: ({ hear }) => hear(recordingAt("claude/file-changed-by-bash.jsonl", minutesAgo(30)), { at: minutesAgo(30) }),
    note: NOBODY_KNOWS,
  },
  {
    what: "the checkpoint is of a session that nobody knows",
    env: OF_THE_SESSION,
    stage: async () => undefined,
    note: NOBODY_KNOWS,
  },
  {
    what: "the agent is still at work",
    stage: ({ hear, turn }) => hear(turn.slice(0, turn.indexOf("\n", turn.indexOf('"tool_use"')) + 1)),
    note: NOTHING,
  },
  {
    what: "it is the agent that restores, in a turn which is not in the transcript yet",
    env: OF_THE_SESSION,
    stage: async ({ hear, turn }) => {
      await hear(turn);
      await hear(null, { at: minutesAgo(0.5) });
    },
    note: NOTHING,
  },
];
test.for(allowed)("nobody is refused where $what", async ({ env = {}, stage, note }) => {
  const staged = await changedByBoth({ env });
  await stage(staged);
  const { exitCode, stderr } = await staged.run(["restore", staged.id]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(note);
  expect(staged.files()).toEqual(THEN);
});

test("a session of which the hook has heard nothing is found by the name that the checkpoint has of it", async () => {
  const { run, id, cwd, turn } = await changedByBoth({ env: OF_THE_SESSION });
  const projects = join(cwd, "../user/.claude/projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(projects, `${SESSION}.jsonl`), turn);
  expect(await run(["restore", id], { env: {} })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("`notes.md`"),
  });
});

test("a restore does not make the hook's store", async () => {
  const { run, id, cwd } = await changedByBoth();
  const store = join(cwd, "../home/checkpoint.db");
  rmSync(store, { force: true });
  await run(["restore", id]);
  expect(existsSync(store)).toBe(false);
});
