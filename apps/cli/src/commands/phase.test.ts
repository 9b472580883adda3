import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

let folder = "";
let home = "";
let repository = "";
let clock = Date.parse("2026-03-02T09:00:00Z");

beforeEach(async () => {
  folder = scratchFolder();
  home = join(folder, "home");
  repository = join(folder, "app");
  mkdirSync(join(repository, "src"), { recursive: true });
  await git("init", "--quiet");
  await commit();
});

const IDENTITY = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
const git = (...args: string[]) => execa("git", [...IDENTITY, ...args], { cwd: repository });
const commit = () => git("commit", "--quiet", "--allow-empty", "--message", "work");

function run(words: readonly string[], given: Partial<Environment> = {}): Promise<CliRun> {
  const now = () => new Date((clock += 60_000));
  return runCheckpoint(["phase", ...words], { cwd: repository, userHome: folder, home, now, ...given });
}
const phase = (words: string, given?: Partial<Environment>) => run(words.split(" "), given);
const json = async (words: string) => JSON.parse((await phase(`${words} --json`)).stdout);
const stateDir = () => join(repository, ".claude/state");

describe("a run", () => {
  test("from its first phase to its end, in exit codes and in JSON", async () => {
    expect(await phase("resume implement --feature auth")).toEqual({
      exitCode: 1,
      stdout: "There is no phase file.\n",
      stderr: "",
    });
    expect(await phase("start implement --feature auth")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await json("resume implement --feature auth")).toMatchObject({
      command: "implement",
      feature: "auth",
      phase: "prepare",
      summary: null,
      status: "in_progress",
      head: { sinceSave: "same", sinceStart: "same" },
    });
    await run(["complete", "implement", "prepare", "--feature", "auth", "--summary", "All set."]);
    await phase("start implement --feature auth");
    await phase("update implement build --feature auth --status failed --error broken --created a.ts b.ts");
    expect(await json("show implement --feature auth")).toMatchObject({
      checkpoint: {
        version: 1,
        state: { current_phase: null, completed_phases: ["prepare"], pending_phases: ["validate"] },
        phases: { build: { status: "failed", error: "broken", files_created: ["a.ts", "b.ts"] } },
      },
      resume: { phase: "build", summary: "All set." },
    });
    expect(await phase("resume implement --feature auth")).toEqual({
      exitCode: 0,
      stdout: "build (failed)\nIt failed: broken\nPrevious summary: All set.\n",
      stderr: "",
    });
    expect(await phase("complete implement --feature auth")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await phase("resume implement --feature auth")).toEqual({
      exitCode: 1,
      stdout: "The command is done.\n",
      stderr: "",
    });
    expect(readdirSync(stateDir())).toEqual([".gitignore", "implement-auth.json"]);
    expect((await git("status", "--porcelain")).stdout).toBe("");
  });

  test("is shown as a table", async () => {
    await phase("start ship");
    await run(["complete", "ship", "preflight", "--summary", `Checked\n${"all of it ".repeat(9)}`, "--modified", "x"]);
    const { stdout } = await phase("show ship");
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME")).toBe(
      [
        "ship  begun TIME, saved TIME",
        "",
        "PHASE      STATUS    UPDATED           FILES  NOTE",
        "preflight  complete  TIME      1  Checked all of it all of it all of it a…",
        "commit     pending",
        "push       pending",
        "",
        "Resumes in commit.",
        "Previous summary: Checked all of it all of it all of it all of it all of it all",
        "                  of it all of it all of it all of it",
        "",
      ].join("\n"),
    );
  });

  test("has the phases that were asked for, and begins anew only when told to", async () => {
    expect(await json("start design --phases sketch,polish")).toMatchObject({
      checkpoint: { state: { current_phase: "sketch", pending_phases: ["polish"] } },
    });
    expect(await phase("start design --phases other")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--restart"),
    });
    expect(await json("start design --phases other --restart")).toMatchObject({
      checkpoint: { revision: 4, state: { current_phase: "other" } },
    });
  });

  test("with a phase that nobody planned has that phase alone", async () => {
    expect(Object.keys((await json("start implement migrate")).checkpoint.phases)).toEqual(["migrate"]);
  });

  test("that is done begins anew", async () => {
    await phase("start start");
    await phase("complete start");
    expect(await json("start start")).toMatchObject({
      checkpoint: { state: { current_phase: "branch", pending_phases: ["issue"] } },
    });
  });

  test("whose phases are all done says so", async () => {
    await phase("start review one");
    await phase("complete review one");
    expect(await phase("start review")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("all phases are done"),
    });
    expect(await phase("resume review")).toMatchObject({ exitCode: 1, stdout: "All phases are done.\n" });
    expect((await phase("show review")).stdout).toContain("checkpoint phase complete review");
    expect(await phase("start review one")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Add --reopen"),
    });
    expect(await phase("start review one --reopen")).toMatchObject({ exitCode: 0 });
  });
});

describe("what is refused", () => {
  const cases = [
    { words: "start banana", exitCode: 2, says: "Allowed choices are start, design" },
    { words: "start implement __proto__", exitCode: 2, says: "`__proto__` cannot be a phase" },
    { words: "start implement --feature ..", exitCode: 2, says: "expected the name of a feature" },
    { words: "update implement build --status banana", exitCode: 2, says: "`phases.build.status`: expected" },
    { words: "update implement build", exitCode: 2, says: "nothing to change" },
    { words: "update implement build --allow-ship", exitCode: 2, says: "only ship has a gate" },
    { words: "complete implement", exitCode: 2, says: "there is no phase file" },
    { words: "update implement build --summary-file missing.txt", exitCode: 2, says: "the summary cannot be read" },
    { words: "list --since whenever", exitCode: 2, says: "neither a time span nor a date" },
  ];
  test.for(cases)("$words", async ({ words, exitCode, says }) => {
    expect(await phase(words)).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(says) });
    expect((await json("list")).checkpoints).toEqual([]);
  });

  test("a summary over the limit, with the words of the protocol", async () => {
    writeFileSync(join(repository, "summary.txt"), "word ".repeat(501));
    const { exitCode, stderr } = await phase("update implement build --summary-file summary.txt");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: [
        "error: phase `build`: Context summary exceeds 500 token limit (actual: 501 tokens)\n",
        "Shorten it to what the next phase needs to know.\n",
      ].join(""),
    });
  });

  test("a folder that is no project", async () => {
    expect(await phase("list", { cwd: "/" })).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("is not a project"),
    });
  });
});

test("HEAD that has moved is told until it is accepted", async () => {
  await phase("start implement");
  await commit();
  const first = await phase("update implement build --status in_progress");
  expect(first).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^warning: .*begun at .* is ahead of it\n$/),
  });
  expect(first.stdout).toContain("HEAD has moved: begun at");
  expect(await phase("update implement build --accept-head")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await json("show implement")).toMatchObject({ head: { sinceSave: "same", sinceStart: "same" } });
});

test("the gate of ship holds for one commit", async () => {
  await phase("start ship");
  expect((await phase("update ship preflight --allow-ship")).stdout).toMatch(/Shipping is allowed at [0-9a-f]{7}\./);
  await commit();
  expect((await phase("show ship")).stdout).toMatch(/Shipping is not allowed:\n- The gate was set at/);
  const blocked = await run(["update", "ship", "preflight", "--block-ship", "tests fail", "no review"]);
  expect(blocked.stdout).toContain("Shipping is not allowed:\n- tests fail\n- no review\n");
});

describe("the list", () => {
  test("tells of every checkpoint, and of files that hold none", async () => {
    expect(await phase("list")).toEqual({ exitCode: 0, stdout: "There are no phase files.\n", stderr: "" });
    await phase("start implement --feature a/b");
    await phase("start ship");
    await phase("complete ship");
    writeFileSync(join(stateDir(), "design-checkpoint.json"), "{");
    const { exitCode, stdout } = await phase("list");
    expect(exitCode).toBe(1);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").replaceAll(/ +/g, " ")).toBe(
      [
        "COMMAND FEATURE RESUMES IN PHASES UPDATED",
        "design unreadable: it holds no JSON object",
        "implement a/b prepare 0/3 TIME",
        "ship done, 2 skipped 1/3 TIME",
        "",
      ].join("\n"),
    );
    const { checkpoints } = await json("list");
    expect(checkpoints).toHaveLength(3);
    expect(checkpoints[2]).toMatchObject({ isDone: true, phasesDone: 1, phasesSkipped: 2, phases: 3 });
  });
});

describe("the history", () => {
  const steps = async (words = "list --history") =>
    (await json(words)).events.map(
      (event: { phase: string | null; status: string }) => `${event.phase} ${event.status}`,
    );

  test("keeps what every run did, newest first, and can be told again from the state files", async () => {
    await phase("start start");
    await phase("complete start branch");
    await phase("complete start");
    await phase("start start");
    const all = [
      "branch in_progress",
      "null in_progress",
      "null complete",
      "issue skipped",
      "branch complete",
      "branch in_progress",
      "null in_progress",
    ];
    expect(await steps()).toEqual(all);
    expect(await steps("list --rebuild")).toEqual(all);
    expect((await phase("list --history")).stdout).toMatch(/^WHEN +COMMAND +FEATURE +PHASE +STATUS +COMMIT\n/);
    expect(await steps("list --since 2026-03-05")).toEqual([]);
  });

  test("learns of what was done without this program", async () => {
    const { openPhases } = await import("@agent-checkpoint/phases");
    openPhases({ root: repository, logError: () => {} }).updatePhase("research", "discover", { status: "in_progress" });
    expect(await steps()).toEqual(["discover in_progress", "null in_progress"]);
  });

  test("that cannot be written is a warning: the state is saved", async () => {
    mkdirSync(home);
    mkdirSync(join(home, "checkpoint.db"));
    const { exitCode, stderr } = await phase("start implement");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^warning: the history was not written: /),
    });
    expect(JSON.parse(readFileSync(join(stateDir(), "implement-checkpoint.json"), "utf8")).state.current_phase).toBe(
      "prepare",
    );
  });
});

test("what a file says cannot act on the terminal", async () => {
  await run(["update", "implement", "build", "--status", "failed", "--error", "\u001B[2Jgone\u202E"]);
  expect((await phase("show implement")).stdout).toContain("\\x1b[2Jgone\\u{202e}");
  expect((await phase("resume implement")).stdout).not.toContain("\u001B");
});
