import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  AGENT_KITS,
  SCENARIO_AGENTS,
  type ScenarioAgent,
  type SessionFacts,
  type Step,
} from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { execa } from "execa";
import { afterAll, describe, expect, test, vi } from "vitest";

const HOOK = fileURLToPath(new URL("../../../hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));

// Each test starts a dozen processes, and all of them run at once.
vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(realpathSync(tmpdir()), "attest-"));
// A worker may still write into a home.
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 9 }));

const RUN: Step = { shell: "npm test", output: "Tests  4 passed (4)" };
const RED: Step = { shell: "npm test", output: "Tests  1 failed | 3 passed (4)", exit: 1 };
/** Enough of them that the turn is longer than the time in which a stop always passes. */
const READS: readonly Step[] = Array.from({ length: 17 }, () => ({ read: "README.md" }));
/** A step of a transcript takes two seconds there. */
const secondsOf = (steps: readonly Step[]) => 2 * (READS.length + steps.length);

/** A repository with a commit, a session of an agent in it, and the built programs. */
async function stageWork(agent: ScenarioAgent = "claude") {
  const kit = AGENT_KITS[agent];
  const folder = join(scratch, randomUUID());
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    CHECKPOINT_HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Dev",
    GIT_AUTHOR_EMAIL: "dev@example.com",
    GIT_COMMITTER_NAME: "Dev",
    GIT_COMMITTER_EMAIL: "dev@example.com",
  };
  const git = async (...args: string[]) =>
    (await execa("git", args, { cwd: project, env, extendEnv: false })).stdout.trim();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  write("package.json", JSON.stringify({ scripts: { test: "node --test" }, type: "module" }));
  write("src/server.js", "export const before = 1;\n");
  write("src/server.test.js", 'import test from "node:test";\ntest("one", () => {});\n');
  write("src/old.js", "export const old = 1;\n");
  write("README.md", "words\n");
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "before");
  const commit = async (message: string) => {
    await git("add", "--all");
    await git("commit", "--quiet", "--message", message);
    return git("rev-parse", "HEAD");
  };
  const sessionId = randomUUID();
  const transcript = join(folder, kit.place?.(sessionId) ?? `${sessionId}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const call = async (variable: string, event: object, at: Date) => {
    const { stdout } = await execa(process.execPath, [HOOK, "--agent", agent], {
      input: JSON.stringify(event),
      cwd: folder,
      env: { ...env, CHECKPOINT_NOW: at.toISOString(), [variable]: project },
      extendEnv: false,
    });
    return stdout;
  };
  /** A turn whose last step ends half a second from now; what happens after it comes later than the turn. */
  const turn = async (change: () => void, steps: readonly Step[]) => {
    const facts = (promptAt: Date): SessionFacts => ({
      sessionId,
      promptId: randomUUID(),
      prompt: "Make the retry loop back off",
      projectPath: project,
      promptAt,
      lastMessage: "Done, it works.",
    });
    const seconds = secondsOf(steps);
    const first = facts(new Date(Date.now() - seconds * 1000));
    const { prompt, stop, projectVariable } = kit.events(first, transcript);
    await call(projectVariable, prompt, first.promptAt);
    change();
    const own = { ...first, promptAt: new Date(Date.now() + 500 - seconds * 1000) };
    writeFileSync(transcript, kit.write([...READS, ...steps], own));
    const endsAt = own.promptAt.getTime() + (seconds + 1) * 1000;
    const answer = await call(projectVariable, stop, new Date(endsAt + 100));
    while (Date.now() <= endsAt + 200) await sleep(50);
    /** Goes on after a block with one more step, which ends half a second from now, and stops again. */
    const goOn = async (step: Step) => {
      const later = { ...first, sessionId: randomUUID(), promptAt: new Date(Date.now() - 1500) };
      const lines = kit.write([step], later).split("\n").slice(kit.opening).join("\n");
      appendFileSync(transcript, lines.replaceAll("toolu_", "toolu_more_").replaceAll(later.sessionId, sessionId));
      const again = await call(projectVariable, { ...stop, stop_hook_active: true }, new Date(Date.now() + 2000));
      while (Date.now() <= later.promptAt.getTime() + 3200) await sleep(50);
      return again;
    };
    const next = () => call(projectVariable, kit.events(facts(new Date()), transcript).prompt, new Date());
    return { answer, goOn, next };
  };
  const checkpoint = (...args: string[]) => checkpointIn(project, ...args);
  const checkpointIn = (cwd: string, ...args: string[]) =>
    execa(process.execPath, [PROGRAM, ...args], { cwd, env, extendEnv: false, reject: false });
  return { project, home, git, write, commit, turn, checkpoint, checkpointIn };
}

const EDIT: Step = { edit: "src/server.js" };

/** What `attest --json` says of one file of the last commit. */
function stateIn(json: string, file = "src/server.js") {
  const { commits } = JSON.parse(json) as {
    commits: { files: { file: string; rules: { rule: string; state: string }[]; stops: { stop: number }[] }[] }[];
  };
  const found = commits.at(-1)?.files.find((one) => one.file === file);
  return {
    rules: found?.rules.map(({ rule, state }) => `${rule}: ${state}`),
    stops: found?.stops.map(({ stop }) => stop),
  };
}

describe("a commit of what an agent has left", () => {
  const cases = [
    { turn: "tested", steps: [EDIT, RUN], state: "verified", exitCode: 0 },
    { turn: "not tested", steps: [{ read: "README.md" }, EDIT] satisfies Step[], state: "not-verified", exitCode: 1 },
    { turn: "tested before the change", steps: [RUN, EDIT], state: "not-verified", exitCode: 1 },
    {
      turn: "tested, and then formatted, which a stop forgives",
      steps: [EDIT, RUN, { shell: "npx prettier --write src/server.js", output: "src/server.js 3ms" }] satisfies Step[],
      state: "not-verified",
      exitCode: 1,
    },
    { turn: "tested, and red", steps: [EDIT, RED], state: "not-verified", exitCode: 1 },
  ];
  test.concurrent.for(cases)("$turn", async ({ steps, state, exitCode }, { expect: expectHere }) => {
    const { write, commit, turn, checkpoint } = await stageWork();
    await turn(() => write("src/server.js", "export const after = 1;\n"), steps);
    await commit("Back off");
    const { stdout } = await checkpoint("attest", "--json");
    expectHere(stateIn(stdout)).toEqual({ rules: [`tests: ${state}`], stops: [1] });
    const verified = await checkpoint("verify-range", "main~1..main", "--json");
    expectHere(verified.exitCode).toBe(exitCode);
    expectHere(JSON.parse(verified.stdout)).toMatchObject({
      isVerified: exitCode === 0,
      missing: exitCode === 0 ? [] : [{ file: "src/server.js", rule: "tests", state, run: "npm test" }],
    });
  });

  test.concurrent.for(SCENARIO_AGENTS)("of %s, tested", async (agent, { expect: expectHere }) => {
    const { write, commit, turn, checkpoint } = await stageWork(agent);
    await turn(() => write("src/server.js", "export const after = 1;\n"), [EDIT, RUN]);
    await commit("Back off");
    expectHere(stateIn((await checkpoint("attest", "--json")).stdout).rules).toEqual(["tests: verified"]);
  });

  test.concurrent("blocked once, and then tested", async ({ expect: expectHere }) => {
    const { write, commit, turn, checkpoint } = await stageWork();
    const change = () => write("src/server.js", "export const after = 1;\n");
    const { answer, goOn } = await turn(change, [{ read: "README.md" }, EDIT]);
    expectHere(answer).toContain('"decision":"block"');
    expectHere(await goOn(RUN)).toBe("");
    await commit("Back off");
    const { stdout } = await checkpoint("attest", "--json");
    expectHere(stateIn(stdout)).toEqual({ rules: ["tests: verified"], stops: [1] });
    expectHere((await checkpoint("attest")).stdout).toMatch(
      /^ {2}verified {5}src\/server\.js {2}tests: npm test at .* UTC \(claude, stop 1\)$/m,
    );
  });

  const removals = [
    { turn: "removed, and tested", steps: [{ shell: "rm src/old.js", output: "" }, RUN], state: "verified" },
    { turn: "removed, and not tested", steps: [RUN, { shell: "rm src/old.js", output: "" }], state: "not-verified" },
    { turn: "tested, and removed by a person", steps: [EDIT, RUN], state: "not-known" },
  ] satisfies { turn: string; steps: Step[]; state: string }[];
  test.concurrent.for(removals)("a file that was $turn", async ({ steps, state }, { expect: expectHere }) => {
    const { project, commit, turn, checkpoint } = await stageWork();
    await turn(() => rmSync(join(project, "src/old.js")), steps);
    await commit("Remove");
    expectHere(stateIn((await checkpoint("attest", "--json")).stdout, "src/old.js").rules).toEqual([`tests: ${state}`]);
  });

  test.concurrent("tested, and then changed by a person: nothing is known of that content", async ({
    expect: expectHere,
  }) => {
    const { write, commit, turn, checkpoint } = await stageWork();
    await turn(() => write("src/server.js", "export const after = 1;\n"), [EDIT, RUN]);
    write("src/server.js", "export const after = 2;\n");
    await commit("Back off");
    const { stdout } = await checkpoint("attest", "--json");
    expectHere(stateIn(stdout)).toEqual({ rules: ["tests: not-known"], stops: [1] });
    expectHere((await checkpoint("verify-range", "HEAD")).exitCode).toBe(1);
  });
});

test.concurrent("the worker that a prompt starts records the content before it is changed again", async ({
  expect: expectHere,
}) => {
  const { home, project, write, commit, turn, checkpoint } = await stageWork();
  const { next } = await turn(() => write("src/server.js", "export const after = 1;\n"), [EDIT, RUN]);
  await next();
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  await expectHere
    .poll(() => opened.store.verifications.list(project), { timeout: 30_000, interval: 100 })
    .toMatchObject([{ file: "src/server.js", rule: "tests", state: "verified", stopId: 1, command: "npm test" }]);
  await opened.store.close();
  const first = await commit("Back off");
  write("src/server.js", "export const after = 2;\n");
  const second = await commit("Back off more");
  const { stdout } = await checkpoint("attest", "HEAD~2..", "--json");
  const { commits, files, conclusion } = JSON.parse(stdout) as {
    commits: { commit: string; files: { rules: { state: string }[] }[] }[];
    files: { rules: { state: string }[] }[];
    conclusion: string;
  };
  const stateOf = ({ rules }: { rules: { state: string }[] }) => rules.map(({ state }) => state);
  expectHere(commits.map((one) => [one.commit, one.files.map(stateOf)])).toEqual([
    [first, [["verified"]]],
    [second, [["not-known"]]],
  ]);
  expectHere([files.map(stateOf), conclusion]).toEqual([[["not-known"]], "neutral"]);
});

test.concurrent("what was verified is known of the same content under another commit, and in another work tree", async ({
  expect: expectHere,
}) => {
  const { git, project, write, commit, turn, checkpoint, checkpointIn } = await stageWork();
  await turn(() => write("src/server.js", "export const after = 1;\n"), [EDIT, RUN]);
  await commit("Back off");
  await checkpoint("attest");
  await git("commit", "--quiet", "--amend", "--message", "Back off, said better");
  expectHere(stateIn((await checkpoint("attest", "--json")).stdout).rules).toEqual(["tests: verified"]);
  const other = join(project, "..", "other");
  await git("worktree", "add", "--quiet", other, "HEAD");
  const there = await checkpointIn(other, "attest", "--json");
  expectHere(stateIn(there.stdout).rules).toEqual(["tests: verified"]);
});

test.concurrent("a person's own run counts for the files of a range", async ({ expect: expectHere }) => {
  const { write, commit, checkpoint } = await stageWork();
  write("src/server.js", "export const after = 1;\n");
  write("src/new.js", "export const made = 1;\n");
  write("notes.md", "words\n");
  await commit("Back off");
  const range = "HEAD~1..";
  const before = await checkpoint("verify-range", range);
  expectHere(before.exitCode).toBe(1);
  expectHere(before.stdout).toContain("not known src/new.js  tests: Run targeted tests");
  expectHere(before.stdout).toContain("checkpoint proof --range HEAD~1.. -- npm test");
  expectHere(before.stdout).not.toContain("notes.md");

  expectHere((await checkpoint("proof", "--range", range, "--", "node", "-e", "0")).exitCode).toBe(0);
  expectHere((await checkpoint("verify-range", range)).exitCode).toBe(1);

  expectHere((await checkpoint("proof", "--range", range, "--", "npm", "test")).exitCode).toBe(0);
  const after = await checkpoint("verify-range", range);
  expectHere([after.exitCode, after.stdout]).toEqual([0, "agent-checkpoint: 2 of 2 verified"]);
});

test.concurrent("notes are written on request only, one for each commit, and a check run is Markdown", async ({
  expect: expectHere,
}) => {
  const { git, write, commit, checkpoint } = await stageWork();
  write("src/server.js", "export const after = 1;\n");
  await commit("Back `off`");
  write("README.md", "more words\n");
  await commit("Words");
  await checkpoint("attest", "HEAD~2..");
  expectHere(await git("for-each-ref", "refs/notes")).toBe("");
  const noted = await checkpoint("attest", "HEAD~2..", "--note");
  expectHere(noted.stderr).toContain("Wrote the notes of 2 commits");
  expectHere(await git("notes", "--ref=agent-checkpoint", "show", "HEAD~1")).toContain(
    "not known    src/server.js  tests: nothing on record about this content",
  );
  expectHere(await git("notes", "--ref=agent-checkpoint", "show", "HEAD")).toContain("no rule asks README.md");
  expectHere((await checkpoint("attest", "--note", "--json")).exitCode).toBe(0);
  expectHere(JSON.parse(await git("notes", "--ref=agent-checkpoint", "show", "HEAD"))).toMatchObject({
    commit: await git("rev-parse", "HEAD"),
    files: [{ file: "README.md", rules: [] }],
  });
  const { stdout } = await checkpoint("attest", "HEAD~2..", "--format", "check-run");
  expectHere(stdout).toMatch(
    /^agent-checkpoint: 0 of 1 verified, 1 not known\n\n### Not known\n\n- `src\/server.js`, /,
  );
  expectHere(await git("status", "--porcelain")).toBe("");
});

test.concurrent("names of files and commits are data, in every form", async ({ expect: expectHere }) => {
  const { git, write, commit, checkpoint } = await stageWork();
  const file = "src/a`\n- `b` **verified**\u001B[2J.js";
  write(file, "export const made = 1;\n");
  await commit("Add \u001B[31mred");
  for (const args of [[], ["--format", "check-run"], ["--note"], ["--json"]]) {
    const { stdout } = await checkpoint("attest", ...args);
    expectHere(stdout).not.toContain("\u001B");
    expectHere(stdout).not.toMatch(/^- `b`/m);
  }
  expectHere(await git("notes", "--ref=agent-checkpoint", "show", "HEAD")).not.toContain("\u001B");
  expectHere((await checkpoint("verify-range", "HEAD")).stdout.split("\n")).toHaveLength(3);
});

const refusals = [
  { args: ["attest", "no-such-branch"], says: "there is no commit no-such-branch here" },
  { args: ["verify-range", "no-such-branch..HEAD"], says: "there is no commit no-such-branch here" },
  { args: ["attest", "--note", "--format", "check-run"], says: "a note holds text or JSON" },
  { args: ["verify-range"], says: "missing required argument" },
];
test("an invalid call is refused", async () => {
  const { checkpoint } = await stageWork();
  for (const { args, says } of refusals)
    expect(await checkpoint(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
});
