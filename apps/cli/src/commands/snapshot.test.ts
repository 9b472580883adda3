import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));

/** A folder with an odd name and a file in it, beside a home of its own. */
function workspace({ git = true }: { readonly git?: boolean } = {}) {
  const top = scratchFolder();
  const cwd = join(top, "it's a (strange) $folder");
  const userHome = join(top, "user");
  const home = join(top, "home");
  for (const folder of [cwd, userHome, home]) mkdirSync(folder);
  if (git) execFileSync("git", ["init", "--quiet"], { cwd });
  writeFileSync(join(cwd, "a.txt"), "one\n");
  const run = (...args: string[]) => runCheckpoint(["snapshot", ...args], { cwd, userHome, home });
  return { cwd, userHome, home, run };
}

test.for([{ git: true }, { git: false }])(
  "the printed command brings everything back, from another folder, by sh (git: $git)",
  ({ git }) => {
    const { cwd, userHome, home } = workspace({ git });
    const env = { PATH: process.env["PATH"], HOME: userHome, CHECKPOINT_HOME: home };
    const made = spawnSync(process.execPath, [PROGRAM, "snapshot", "create", ".", "--reason", 'it\'s "odd"'], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect(made).toMatchObject({ status: 0, stderr: "" });
    const report: unknown = parse(made.stdout);
    writeFileSync(join(cwd, "a.txt"), "broken\n");
    const command = (report as { checkpoint: { restore_command: string } }).checkpoint.restore_command;
    // Nothing of the environment but where programs are: the line says the rest.
    const back = spawnSync("sh", ["-c", command], { cwd: "/", env: { PATH: process.env["PATH"] }, encoding: "utf8" });
    expect(back.status).toBe(0);
    expect(parse(back.stdout)).toMatchObject({ rolled_back: true, verification: { match: true } });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  },
);

test("the snapshot that undoes a restore expires when the config says", async () => {
  const { cwd, run } = workspace();
  writeFileSync(join(cwd, "checkpoint.config.json"), `{ "safety": { "keepDays": 3 } }`);
  await run("create", "a.txt");
  writeFileSync(join(cwd, "a.txt"), "two\n");
  expect(await run("restore", "latest")).toMatchObject({ exitCode: 0 });
  const { stdout } = await run("list", "--json");
  const [undo] = JSON.parse(stdout) as readonly Record<"purpose" | "createdAt" | "expiresAt", string>[];
  const days = (Date.parse(undo?.expiresAt ?? "") - Date.parse(undo?.createdAt ?? "")) / 86_400_000;
  expect({ purpose: undo?.purpose, days: Math.round(days) }).toEqual({ purpose: "undo", days: 3 });
});

describe("bad input ends with 2 and writes nothing", () => {
  test.for([
    { args: [] },
    { args: [""] },
    { args: ["../.."] },
    { args: ["a\0b"] },
    { args: ["/"] },
    { args: ["a.txt", "--type", "tarball"] },
    { args: ["a.txt", "--expiry=-1h"] },
    { args: ["*.none"] },
    { args: ["a.txt", "src/**/*.none"] },
  ])("create $args", async ({ args }) => {
    const { cwd, home, run } = workspace({ git: false });
    const { exitCode, stdout, stderr } = await run("create", ...args);
    expect({ exitCode, created: created(stdout) }).toEqual({
      exitCode: 2,
      created: args.length === 0 ? undefined : false,
    });
    expect(stderr).toContain("error:");
    expect([".checkpoints", ".audit"].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
    expect(existsSync(join(home, "snapshots"))).toBe(false);
  });

  test("create in a home folder", async () => {
    const { userHome, home } = workspace();
    expect(await runCheckpoint(["snapshot", "create", "."], { cwd: userHome, userHome, home })).toMatchObject({
      exitCode: 2,
    });
    expect(existsSync(join(userHome, ".checkpoints"))).toBe(false);
  });

  test("only secrets: the report says what was left out", async () => {
    const { cwd, run } = workspace();
    writeFileSync(join(cwd, ".env"), "A=1\n");
    const { exitCode, stdout } = await run("create", ".env", "--json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      checkpoint_created: false,
      excluded: [{ path: ".env", rule: "env-file" }],
    });
  });
});

test("every command leaves its line in the audit, with the words it was given and the code it ended with", async () => {
  const { cwd, run } = workspace();
  const made = await run("create", "a.txt", "--json", "--reason", "first");
  const { id } = (JSON.parse(made.stdout) as { checkpoint: { id: string } }).checkpoint;
  writeFileSync(join(cwd, "a.txt"), "changed\n");
  const commands = [
    ["list", "--all"],
    ["show", id],
    ["verify", "--quick"],
    ["verify", id],
    ["diff", id, "--scope", "a.txt"],
    ["gc"],
    ["restore", id, "--dry-run"],
    ["restore", id, "--into", "../copy"],
    ["restore", "chk_20310131_120000_a1b2c3"],
    ["restore", id],
    ["diff", id],
    ["pin", id, "--remove"],
    ["gc", "--apply"],
  ];
  const lines = ["create a.txt --reason first | Exit: 0"];
  for (const command of commands) lines.push(`${command.join(" ")} | Exit: ${(await run(...command)).exitCode}`);
  const audit = readFileSync(join(cwd, ".audit/checkpoint-operations.log"), "utf8").trimEnd().split("\n");
  const prefix = /^\[CHECKPOINT\] \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \| Command: checkpoint snapshot /;
  expect(audit.map((line) => line.replace(prefix, ""))).toEqual(lines);
  expect(lines.map((line) => line.at(-1)).join("")).toBe("00000100020000");
});

/** Whether a printed document says that a snapshot was made; undefined without a document. */
function created(stdout: string): unknown {
  return (parse(stdout) as { readonly checkpoint_created?: boolean } | null)?.checkpoint_created;
}

test("a word that names nothing is named on the screen and ends with 1, unless that is allowed", async () => {
  const { run } = workspace();
  const typo = await run("create", "a.txt", "libb");
  expect(typo).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("absent: libb") });
  expect(created(typo.stdout)).toBe(true);
  expect(await run("create", "a.txt", "libb", "--allow-absent")).toMatchObject({ exitCode: 0 });
});

test("a snapshot is named by the beginning of its id, or as the latest one", async () => {
  const { cwd, run } = workspace();
  const made = await run("create", "a.txt", "--json");
  const { id } = (JSON.parse(made.stdout) as { checkpoint: { id: string } }).checkpoint;
  writeFileSync(join(cwd, "a.txt"), "two\n");
  expect(await run("diff", "latest", "--stat")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/a\.txt \| 2 \+-/),
  });
  expect(await run("diff", id.slice(0, -3), "--patch")).toMatchObject({
    stdout: expect.stringContaining("-one\n+two\n"),
  });
  expect(await run("show", id.slice("chk_".length))).toMatchObject({ stdout: expect.stringContaining(id) });
  expect(await run("show", "chk_1999")).toMatchObject({ exitCode: 2 });
  expect(await run("restore", "latest")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  // The snapshot that undoes the restore is not the latest one that was asked for.
  expect(await run("restore")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("no snapshot was named") });
  expect(await run("restore", "--abandon")).toMatchObject({
    exitCode: 0,
    stdout: "No restore was interrupted here.\n",
  });
});

test("a person at a terminal chooses the snapshot to restore from a list", async () => {
  const { cwd, userHome, home, run } = workspace();
  const restore = async (answer: string) => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return answer;
    };
    return { asked, ...(await runCheckpoint(["snapshot", "restore"], { cwd, userHome, home, ask })) };
  };
  expect(await restore("1")).toMatchObject({ exitCode: 2, asked: [], stderr: expect.stringContaining("no snapshot") });
  await run("create", "a.txt", "--reason", "the older one");
  writeFileSync(join(cwd, "a.txt"), "two\n");
  await run("create", "a.txt", "--reason", "the newer one");
  writeFileSync(join(cwd, "a.txt"), "three\n");
  expect(await restore("none")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("nothing was changed") });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("three\n");
  expect(await restore("2")).toMatchObject({
    exitCode: 0,
    asked: ["Which one shall be restored (1 to 2)? "],
    stdout: expect.stringMatching(/1 .*the newer one[^]*2 .*the older one/),
  });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
});

test("a snapshot is deleted only after a yes", async () => {
  const { run } = workspace();
  const made = await run("create", "a.txt", "--json");
  const { id } = (JSON.parse(made.stdout) as { checkpoint: { id: string } }).checkpoint;
  expect(await run("delete", "latest")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("nothing was deleted"),
  });
  expect(await run("delete", "latest", "--yes")).toMatchObject({ exitCode: 0, stdout: `${id} is deleted.\n` });
  expect(await run("show", id)).toMatchObject({ exitCode: 2 });
});

test("a checkpoint from its creation to its end", async () => {
  const { cwd, run } = workspace();
  const made = await run("create", "a.txt", "--json", "--reason", "first");
  const { checkpoint } = JSON.parse(made.stdout) as { checkpoint: { id: string } };
  const { id } = checkpoint;
  expect(await run("diff", id)).toMatchObject({ exitCode: 0, stdout: `Nothing in scope differs from ${id}.\n` });
  writeFileSync(join(cwd, "a.txt"), "changed\n");
  expect(await run("diff", id)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/modify +a\.txt +8 bytes → 4 bytes/),
  });
  expect(await run("restore", id, "--dry-run")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("rolled_back: false"),
  });
  expect(await run("restore", id, "--into", "../copy")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("match: true"),
  });
  expect(readFileSync(join(cwd, "../copy/a.txt"), "utf8")).toBe("one\n");
  expect(await run("restore", id)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  expect(await run("pin", id)).toMatchObject({ exitCode: 0, stdout: `${id} is pinned: gc never deletes it.\n` });
  const { stdout: list } = await run("list");
  expect(list).toMatch(
    new RegExp(`${id}  ready   git_stash \\(pinned\\) +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +never +1 +4 B +first`),
  );
  expect(await run("show", id)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("reason     first") });
  expect(await run("verify", "--quick")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`PASS  ${id}`) });
  expect(await run("gc")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Nothing to delete.") });
  const packs = join(cwd, ".git/agent-checkpoint/snapshots.git/objects/pack");
  for (const name of readdirSync(packs)) rmSync(join(packs, name));
  expect(await run("verify", id)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`FAIL  ${id}`) });
  writeFileSync(join(cwd, "a.txt"), "changed\n");
  expect(await run("restore", id)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("manifest cannot be read"),
  });
});
