import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isShipAllowed } from "./document/steps.ts";
import { openPhases } from "./open-phases.ts";
import { aProject, plainProject, type TestProject } from "./testing/a-project.ts";

const short = (commit: string) => commit.slice(0, 7);

describe("loading a checkpoint after HEAD has moved", () => {
  const moves = [
    { relation: "same", words: null, move: () => {} },
    { relation: "ahead", words: "is ahead of it", move: ({ commit }: TestProject) => void commit() },
    {
      relation: "behind",
      words: "is behind it",
      move: ({ git }: TestProject) => void git("reset", "--quiet", "--hard", "HEAD~1"),
    },
    {
      relation: "diverged",
      words: "has diverged from it",
      move: ({ git, commit }: TestProject) => {
        git("reset", "--quiet", "--hard", "HEAD~1");
        git("commit", "--quiet", "--allow-empty", "--message", "another way");
        commit();
      },
    },
    {
      relation: "unknown",
      words: "lies in an unknown relation to it",
      move: ({ git, root }: TestProject) => {
        git("checkout", "--quiet", "--orphan", "other");
        git("commit", "--quiet", "--allow-empty", "--message", "from nothing");
        git("branch", "--quiet", "-D", "main");
        git("reflog", "expire", "--expire=now", "--all");
        rmSync(join(root, ".git", "ORIG_HEAD"), { force: true });
        git("gc", "--quiet", "--prune=now");
      },
    },
  ];
  test.for(moves)("$relation", ({ relation, words, move }) => {
    const project = aProject();
    project.commit();
    project.updatePhase("implement", "a", { status: "in_progress" });
    const saved = project.git("rev-parse", "HEAD");
    move(project);
    const head = project.git("rev-parse", "HEAD");
    const checkpoint = project.loadCheckpoint("implement");
    const line = `The checkpoint of \`implement\` may be stale: saved at ${short(saved)}, and HEAD (${short(head)}) ${words}`;
    expect(project.lines).toEqual(words === null ? [] : [line]);
    expect(checkpoint && project.compareHead(checkpoint)).toEqual({ head, sinceSave: relation, sinceStart: relation });
  });

  test("an update does not make it forgotten; accepting it does", () => {
    const project = aProject();
    const base = project.git("rev-parse", "HEAD");
    project.updatePhase("implement", "a", { status: "in_progress" });
    const head = project.commit();
    project.updatePhase("implement", "a", { status: "complete" });
    project.updatePhase("implement", "b", { status: "in_progress" });
    expect(project.loadCheckpoint("implement")).toMatchObject({ head_commit: head, base_commit: base });
    const line = `The checkpoint of \`implement\` may be stale: begun at ${short(base)}, and HEAD (${short(head)}) is ahead of it`;
    expect(project.lines).toEqual([line]);
    project.saveCheckpoint("implement", project.loadCheckpoint("implement") ?? {});
    project.completeCheckpoint("implement");
    project.loadCheckpoint("implement");
    expect(project.lines).toEqual([line, line, line]);
    expect(project.acceptHead("implement")).toBe(true);
    expect(project.loadCheckpoint("implement")).toMatchObject({ head_commit: head, base_commit: head });
    expect(project.lines).toHaveLength(3);
  });

  test("a shallow clone does not know", () => {
    const project = aProject();
    for (let commits = 0; commits < 3; commits += 1) project.commit();
    const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-shallow-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${project.root}`, root]);
    const lines: string[] = [];
    const phases = openPhases({ root, logError: (line) => lines.push(line) });
    mkdirSync(join(root, ".claude/state"), { recursive: true });
    phases.updatePhase("implement", "a", {});
    execFileSync("git", ["-C", root, "fetch", "--quiet", "--depth", "1", "origin", "HEAD"]);
    const other = project.commit();
    execFileSync("git", ["-C", root, "fetch", "--quiet", "--depth", "1", "origin", "HEAD"]);
    execFileSync("git", ["-C", root, "checkout", "--quiet", other]);
    phases.loadCheckpoint("implement");
    expect(lines).toEqual([expect.stringContaining("unknown relation")]);
  });

  test.for(["--help", "HEAD", "abc1234", "x".repeat(40)])(
    "a commit that is none (%s) is never handed to git",
    (commit) => {
      const project = aProject();
      project.write("implement-checkpoint.json", { version: 1, phases: {}, head_commit: commit });
      expect(project.loadCheckpoint("implement")?.head_commit).toBe(commit);
      expect(project.lines).toEqual([expect.stringContaining("unknown relation")]);
    },
  );

  test("a state file that git tracks is warned of", () => {
    const project = aProject();
    project.updatePhase("implement", "a", {});
    project.loadCheckpoint("implement");
    project.git("add", "--force", ".claude/state/implement-checkpoint.json");
    project.loadCheckpoint("implement");
    const line =
      ".claude/state/implement-checkpoint.json is tracked by git: git rm --cached .claude/state/implement-checkpoint.json";
    expect(project.lines).toEqual([line]);
  });

  test("without a repository there is nothing to say", () => {
    const project = plainProject();
    project.updatePhase("implement", "a", {});
    expect(project.loadCheckpoint("implement")).toMatchObject({ head_commit: null, base_commit: null });
    expect(project.lines).toEqual([]);
  });

  test("variables of a surrounding git do not count", () => {
    const project = aProject();
    const other = aProject();
    other.commit();
    process.env["GIT_DIR"] = join(other.root, ".git");
    try {
      project.updatePhase("implement", "a", {});
    } finally {
      delete process.env["GIT_DIR"];
    }
    expect(project.loadCheckpoint("implement")?.head_commit).toBe(project.git("rev-parse", "HEAD"));
  });

  test("a worktree has its own HEAD and its own state", () => {
    const project = aProject();
    const root = `${project.root}-worktree`;
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    project.git("worktree", "add", "--quiet", root);
    const lines: string[] = [];
    const worktree = openPhases({ root, logError: (line) => lines.push(line) });
    expect(worktree.updatePhase("implement", "a", { status: "in_progress" })).toBe(true);
    project.commit();
    expect(worktree.getResumePoint("implement").phase).toBe("a");
    expect(project.loadCheckpoint("implement")).toBeNull();
    expect(lines).toEqual([]);
  });
});

describe("a gate", () => {
  const gate = (commit: string | null | undefined, allowed = true) => ({
    gate: { ship_allowed: allowed, blockers: [], head_commit: commit },
  });

  test("holds for the commit that it was set at", () => {
    const project = aProject();
    const head = project.git("rev-parse", "HEAD");
    project.saveCheckpoint("ship", gate(head));
    const checkpoint = project.loadCheckpoint("ship");
    expect(checkpoint?.gate).toEqual({ ship_allowed: true, blockers: [], head_commit: head });
    expect(isShipAllowed(checkpoint?.gate, head)).toBe(true);
  });

  test("of another commit allows nothing, also after an update, and is not changed in the file", () => {
    const project = aProject();
    const set = project.git("rev-parse", "HEAD");
    project.saveCheckpoint("ship", gate(set));
    const head = project.commit();
    project.updatePhase("ship", "push", { status: "in_progress" });
    expect(project.loadCheckpoint("ship")?.gate).toEqual({
      ship_allowed: false,
      blockers: [`The gate was set at ${short(set)} and HEAD is at ${short(head)}: look again.`],
      head_commit: set,
    });
    expect(JSON.parse(project.read("ship-checkpoint.json")).gate).toEqual(gate(set).gate);
  });

  test.for([null, undefined, "abc1234"])("set at %s allows nothing", (commit) => {
    const project = aProject();
    project.saveCheckpoint("ship", gate(commit));
    project.updatePhase("ship", "push", {});
    expect(project.loadCheckpoint("ship")?.gate?.ship_allowed).toBe(false);
  });

  test("allows nothing where there is no commit", () => {
    const project = plainProject();
    project.saveCheckpoint("ship", gate(null));
    expect(project.loadCheckpoint("ship")?.gate?.ship_allowed).toBe(false);
  });

  test("that says no says no more", () => {
    const project = aProject();
    project.saveCheckpoint("ship", gate(null, false));
    expect(project.loadCheckpoint("ship")?.gate?.blockers).toEqual([]);
  });

  const head = "a".repeat(40);
  const gates = [
    { gate: null, allowed: false },
    { gate: { ship_allowed: true, blockers: [], head_commit: head }, allowed: true },
    { gate: { ship_allowed: true, blockers: ["tests fail"], head_commit: head }, allowed: false },
    { gate: { ship_allowed: false, blockers: [], head_commit: head }, allowed: false },
    { gate: { ship_allowed: true, blockers: [] }, allowed: false },
  ];
  test.for(gates)("$gate", ({ gate, allowed }) => expect(isShipAllowed(gate, head)).toBe(allowed));
});
