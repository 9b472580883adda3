import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  buildChildProgram,
  type ChildProgram,
  runTogether,
  startChild,
} from "../../../fixtures/src/child-processes.ts";
import { COMMANDS } from "./commands.ts";
import { aProject, plainProject } from "./testing/a-project.ts";

const LONG = 300_000;
const FILE = "implement-checkpoint.json";

let child: ChildProgram["command"];
let program: ChildProgram;
beforeAll(async () => {
  program = await buildChildProgram(new URL("./testing/child.ts", import.meta.url));
  child = program.command;
}, LONG);
afterAll(() => program.remove());

describe("many writers", { timeout: LONG }, () => {
  test("three processes, 20 updates each, ten times: 600 of 600", async () => {
    const kept: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const project = plainProject();
      const outcomes = await runTogether(["a", "b", "c"].map((name) => child("update", project.root, name, "20")));
      expect(outcomes).toEqual([20, 20, 20]);
      const checkpoint = project.loadCheckpoint("implement");
      kept.push(Object.keys(checkpoint?.phases ?? {}).length);
      expect(checkpoint?.revision).toBe(60);
      expect(project.names()).toEqual([FILE]);
    }
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(600);
  });

  test("a lock left by a process that was killed is taken over by one of many at a time", async () => {
    const project = plainProject();
    project.updatePhase("implement", "a", {});
    const holder = startChild(child("hold", `${project.stateDir}/${FILE}`));
    await holder.isReady;
    holder.begin();
    await expect.poll(() => project.names()).toContain(`${FILE}.lock`);
    holder.kill();
    await holder.outcome;
    expect(project.names()).toContain(`${FILE}.lock`);
    const outcomes = await runTogether(
      Array.from({ length: 8 }, (_, number) => child("update", project.root, `p${number}`, "5")),
    );
    expect(outcomes).toEqual(Array(8).fill(5));
    expect(Object.keys(project.loadCheckpoint("implement")?.phases ?? {})).toHaveLength(41);
    expect(project.names()).toEqual([FILE]);
  });
});

describe("a process killed in the middle of a save", { timeout: LONG }, () => {
  test("before each touch of a file: the old or the new, and the next save goes through", async () => {
    const seen = new Set<string>();
    for (let nth = 1; ; nth += 1) {
      const project = plainProject();
      project.updatePhase("implement", "a", { status: "complete" });
      const [outcome] = await runTogether([child("update-and-die", project.root, `${nth}`)]);
      seen.add(Object.keys(project.loadCheckpoint("implement")?.phases ?? {}).join());
      expect(project.updatePhase("implement", "c", {})).toBe(true);
      expect(project.names().filter((name) => name.includes("corrupt") || name.endsWith(".lock"))).toEqual([]);
      if (outcome === "survived") break;
      expect(nth).toBeLessThan(40);
    }
    expect([...seen].toSorted()).toEqual(["a", "a,b"]);
  });

  test("at any moment: the file is whole", async () => {
    const project = plainProject();
    const revisions: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const writer = startChild(child("save-forever", project.root));
      await writer.isReady;
      writer.begin();
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 80));
      writer.kill();
      await writer.outcome;
      if (project.loadCheckpoint("implement") !== null)
        revisions.push(project.loadCheckpoint("implement")?.revision ?? -1);
    }
    expect(project.names().filter((name) => name.includes("corrupt"))).toEqual([]);
    expect(project.lines).toEqual([]);
    expect(revisions.length).toBeGreaterThan(0);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(project.updatePhase("implement", "b", {})).toBe(true);
  });
});

test("a folder that must not be written gives false and a line", { timeout: LONG }, async () => {
  const project = plainProject();
  project.updatePhase("implement", "a", {});
  const before = project.read(FILE);
  chmodSync(project.root, 0o755);
  chmodSync(project.stateDir, 0o555);
  chmodSync(`${project.stateDir}/${FILE}`, 0o444);
  onTestFinished(() => chmodSync(project.stateDir, 0o755));
  const [outcome] = await runTogether([child("update-forbidden", project.root)]);
  expect(outcome).toEqual({ isKept: false, error: "failed", lines: [expect.stringContaining("EACCES")] });
  expect(project.read(FILE)).toBe(before);
});

/** Runs a command with an empty disk of 1 MB in place of a folder, where the system lets us mount one. */
const ON_SMALL_DISK =
  'exec unshare --map-root-user --mount sh -c \'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"\' "$0" "$@"';
const canMount = spawnSync("sh", ["-c", ON_SMALL_DISK, tmpdir(), "true"]).status === 0;

test.runIf(canMount)(
  "a full disk gives false and a line, and what was saved before stays",
  { timeout: LONG },
  async () => {
    const project = plainProject();
    mkdirSync(project.stateDir, { recursive: true });
    const [outcome] = await runTogether([
      ["sh", "-c", ON_SMALL_DISK, project.stateDir, ...child("update-when-full", project.root)],
    ]);
    expect(outcome).toEqual({
      before: true,
      whenFull: { update: false, save: false, fresh: false, error: "failed", lines: 3, stored: ["a"] },
      later: true,
      names: [".gitignore", FILE],
    });
  },
);

test("each command, interrupted in each phase, is resumed by a new process", { timeout: LONG }, async () => {
  const project = aProject();
  const cases = COMMANDS.flatMap(({ name, phases }) =>
    phases.flatMap((phase, place) =>
      ["working", "failed", "waiting"].map((how) => ({
        args: [name, phase, how],
        expected: {
          command: name,
          feature: `${phase} ${how}`,
          phase,
          summary: place === 0 ? null : `${phases[place - 1]} is done.`,
          end: null,
          completed: phases,
        },
      })),
    ),
  );
  expect(cases).toHaveLength(51);
  for (let start = 0; start < cases.length; start += 6) {
    const some = cases.slice(start, start + 6);
    const outcomes = await runTogether(some.map(({ args }) => child("interrupt", project.root, ...args)));
    expect(outcomes).toEqual(some.map(() => null));
  }
  const [resumed] = await runTogether([child("resume", project.root)]);
  const byName = (list: unknown) => (Array.isArray(list) ? list.map((each) => JSON.stringify(each)).toSorted() : []);
  expect(byName(resumed)).toEqual(byName(cases.map(({ expected }) => expected)));
});
