import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPhases } from "../open-phases.ts";
import { aProject, plainProject } from "../testing/a-project.ts";

test("the folder is made when it is needed, and git does not see it", () => {
  const project = aProject();
  project.loadCheckpoint("implement");
  expect(existsSync(join(project.root, ".claude"))).toBe(false);
  project.updatePhase("implement", "a", {}, "x/y");
  project.updatePhase("implement", "a", {});
  expect(project.names()).toEqual(["implement-checkpoint.json", "implement-x%2Fy.json"]);
  expect(project.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  expect(project.getStateDir()).toBe(project.stateDir);
});

test("a file of the user's that hides other things is left as it is", () => {
  const project = plainProject();
  project.write(".gitignore", "mine\n");
  project.updatePhase("implement", "a", {});
  expect(project.read(".gitignore")).toBe("mine\n");
});

describe("a folder that cannot be used gives false and a line, and nothing is written elsewhere", () => {
  const cases = [
    {
      name: "`.claude` is a file",
      put: (root: string) => writeFileSync(join(root, ".claude"), "mine"),
      says: "is not a folder",
    },
    {
      name: "the state folder is a file",
      put: (root: string) => {
        mkdirSync(join(root, ".claude"));
        writeFileSync(join(root, ".claude/state"), "mine");
      },
      says: "is not a folder",
    },
    {
      name: "`.claude` is a link outwards",
      put: (root: string, outside: string) => symlinkSync(outside, join(root, ".claude")),
      says: "leads out of the project",
    },
    {
      name: "the state folder is a link outwards",
      put: (root: string, outside: string) => {
        mkdirSync(join(root, ".claude"));
        symlinkSync(outside, join(root, ".claude/state"));
      },
      says: "leads out of the project",
    },
    {
      name: "the state folder is a link to a neighbour whose name begins alike",
      put: (root: string) => {
        mkdirSync(`${root}-outside`);
        mkdirSync(join(root, ".claude"));
        symlinkSync(`${root}-outside`, join(root, ".claude/state"));
      },
      says: "leads out of the project",
    },
    {
      name: "the state folder is a link to nowhere",
      put: (root: string, outside: string) => {
        mkdirSync(join(root, ".claude"));
        symlinkSync(join(outside, "gone"), join(root, ".claude/state"));
      },
      says: "is not a folder",
    },
  ];
  test.for(cases)("$name", ({ put, says }) => {
    const project = plainProject();
    const outside = mkdtempSync(join(tmpdir(), "checkpoint-outside-"));
    onTestFinished(() => {
      for (const path of [outside, `${project.root}-outside`]) rmSync(path, { recursive: true, force: true });
    });
    put(project.root, outside);
    expect(project.saveCheckpoint("implement", { phases: {} })).toBe(false);
    expect(project.updatePhase("implement", "a", {})).toBe(false);
    expect(project.getLastError()?.code).toBe("no-folder");
    expect(project.loadCheckpoint("implement")).toBeNull();
    expect(project.lines).toEqual(Array(3).fill(expect.stringContaining(says)));
    expect(readdirSync(outside)).toEqual([]);
  });
});

test("a link that stays in the project is fine", () => {
  const project = plainProject();
  mkdirSync(join(project.root, "agents/state"), { recursive: true });
  symlinkSync("agents", join(project.root, ".claude"));
  expect(project.updatePhase("implement", "a", {})).toBe(true);
  expect(readdirSync(join(project.root, "agents/state"))).toContain("implement-checkpoint.json");
});

test("a project that is itself reached by a link is fine", () => {
  const project = plainProject();
  const link = `${project.root}-link`;
  symlinkSync(project.root, link);
  onTestFinished(() => rmSync(link));
  expect(openPhases({ root: link, logError: () => {} }).updatePhase("implement", "a", {})).toBe(true);
  expect(project.getResumePoint("implement").phase).toBe("a");
});

test("a root that is gone, or the top of the file system, gives false and a line", () => {
  const lines: string[] = [];
  const gone = openPhases({
    root: join(realpathSync(tmpdir()), "checkpoint-gone"),
    logError: (line) => lines.push(line),
  });
  expect(gone.updatePhase("implement", "a", {})).toBe(false);
  const top = openPhases({ root: "/", logError: (line) => lines.push(line) });
  expect(top.updatePhase("implement", "a", {})).toBe(false);
  expect(top.getStateDir()).toBeNull();
  expect(top.getLastError()?.code).toBe("no-folder");
  expect(lines).toHaveLength(3);
});

test("drafts that a crash has left are swept away later, and nothing else", () => {
  const project = plainProject();
  project.updatePhase("implement", "a", {});
  const old = new Date(Date.now() - 120_000);
  const left = "implement-checkpoint.json.a-b-c-0.tmp";
  const fresh = "implement-checkpoint.json.a-b-c-1.tmp";
  for (const name of [left, fresh, "notes.tmp"]) project.write(name, "x");
  for (const name of [left, "notes.tmp"]) utimesSync(join(project.stateDir, name), old, old);
  project.updatePhase("implement", "b", {});
  expect(project.names()).toEqual(["implement-checkpoint.json", fresh, "notes.tmp"]);
});
