import { readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aRepository } from "../testing/a-repository.ts";

describe("a commit", () => {
  test("holds what the agent wrote and the status document, and nothing else", async () => {
    const { agent, save, git, put, lastCommit, project } = await aRepository();
    agent.edit("a.txt", "two", "TWO");
    agent.write("src/new.txt", "new\n");
    put("mine.txt", "a person's\n");
    put("b.txt", "a person's\n");
    const report = await save();
    expect(report).toMatchObject({
      outcome: "committed",
      branch: "work",
      commit: await git("rev-parse", "HEAD"),
      files: ["CLAUDE.md", "a.txt", "src/new.txt"],
      leftOut: {},
      altered: [],
      nextStep: "Run `make restart`",
    });
    expect(report.checkpoint).toMatch(/^chk_/);
    expect(await lastCommit()).toEqual(["CLAUDE.md", "a.txt", "src/new.txt"]);
    expect(await git("status", "--porcelain")).toBe(" M b.txt\n?? mine.txt");
    const document = readFileSync(join(project, "CLAUDE.md"), "utf8");
    expect(document).toContain("- Changed in this session: `a.txt`, `src/new.txt`");
    expect(document).toContain("  - Run `make restart`");
    const message = await git("log", "-1", "--format=%B");
    expect(message).toMatch(
      /^checkpoint: auto-checkpoint\n\nSaved because the context reached the threshold \(43 % in use\)\./,
    );
    expect(message).toMatch(/\nCheckpoint-Id: \S+\nCo-Authored-By: Claude <noreply@anthropic.com>\n?$/);
  });

  test("leaves what a person has staged staged", async () => {
    const { agent, save, put, git, lastCommit } = await aRepository();
    put("b.txt", "staged by a person\n");
    put("mine.txt", "staged by a person\n");
    await git("add", "b.txt", "mine.txt");
    agent.edit("a.txt", "two", "TWO");
    expect(await save()).toMatchObject({ outcome: "committed" });
    expect(await lastCommit()).toEqual(["CLAUDE.md", "a.txt"]);
    expect(await git("status", "--porcelain")).toBe("M  b.txt\nA  mine.txt");
  });

  test("leaves a file out that a person has changed as well, and names it", async () => {
    const { agent, save, put, lastCommit, project, git } = await aRepository();
    agent.edit("a.txt", "two", "TWO");
    agent.write("c.txt", "agent's\n");
    put("a.txt", "one\nTWO\nthree\na person's line\n");
    expect(await save()).toMatchObject({
      outcome: "committed",
      files: ["CLAUDE.md", "c.txt"],
      leftOut: { "a.txt": "mixed" },
    });
    expect(await lastCommit()).toEqual(["CLAUDE.md", "c.txt"]);
    expect(readFileSync(join(project, "a.txt"), "utf8")).toContain("a person's line");
    expect(await git("status", "--porcelain")).toBe(" M a.txt");
  });

  test("says nothing of what a person changes in a file whose agent's work is committed", async () => {
    const { agent, save, put, git } = await aRepository();
    agent.edit("a.txt", "two", "TWO");
    agent.write("c.txt", "agent's\n");
    await save();
    agent.edit("a.txt", "one", "ONE");
    await save();
    put("a.txt", "ONE\nTWO\nthree\na person's\n");
    put("c.txt", "a person's\n");
    expect(await save()).toMatchObject({ outcome: "nothing_to_do" });
    agent.write("d.txt", "agent's\n");
    expect(await save()).toMatchObject({ outcome: "committed", files: ["CLAUDE.md", "d.txt"], leftOut: {} });
    expect(await git("status", "--porcelain")).toBe(" M a.txt\n M c.txt");
    agent.edit("a.txt", "three", "THREE");
    expect(await save()).toMatchObject({ outcome: "refused:mixed_files", leftOut: { "a.txt": "mixed" } });
  });

  test("leaves a file out of which a person has staged another state", async () => {
    const { agent, save, put, git } = await aRepository();
    put("a.txt", "staged by a person\n");
    await git("add", "a.txt");
    agent.write("a.txt", "agent's\n");
    agent.write("c.txt", "agent's\n");
    expect(await save()).toMatchObject({ outcome: "committed", leftOut: { "a.txt": "staged" } });
    expect(await git("show", ":a.txt")).toBe("staged by a person");
  });

  test("takes what the agent itself has staged in between", async () => {
    const { agent, save, git } = await aRepository();
    agent.edit("a.txt", "two", "TWO");
    await git("add", "a.txt");
    agent.edit("a.txt", "one", "ONE");
    expect(await save()).toMatchObject({ outcome: "committed", leftOut: {} });
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("takes a deletion that a command of the agent's made, and none of a person's", async () => {
    const { agent, save, git, lastCommit, project } = await aRepository();
    const { rmSync } = await import("node:fs");
    agent.ran("rm a.txt", () => rmSync(join(project, "a.txt")));
    rmSync(join(project, "b.txt"));
    expect(await save({ baseline: {} })).toMatchObject({ outcome: "committed", leftOut: {} });
    expect(await lastCommit()).toEqual(["CLAUDE.md", "a.txt"]);
    expect(await git("status", "--porcelain")).toBe(" D b.txt");
  });

  test("of new files only", async () => {
    const { agent, save, lastCommit } = await aRepository();
    agent.write("new.txt", "new\n");
    agent.write("with space/ünï'\"$&.txt", "new\n");
    expect(await save()).toMatchObject({
      outcome: "committed",
      files: ["CLAUDE.md", "new.txt", "with space/ünï'\"$&.txt"],
    });
    expect(await lastCommit()).toHaveLength(3);
  });

  test("before the first one of a branch", async () => {
    const { agent, save, git, put } = await aRepository();
    await git("checkout", "--quiet", "--orphan", "fresh");
    await git("rm", "-r", "--quiet", "--cached", ".");
    put("mine.txt", "x");
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed", files: ["CLAUDE.md", "new.txt"] });
  });

  test("takes a build guide along that has changed", async () => {
    const { agent, save, put } = await aRepository();
    put("buildguide.md", "steps\n");
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed", files: ["CLAUDE.md", "buildguide.md", "new.txt"] });
  });

  test("in a template's words", async () => {
    const { agent, save, git } = await aRepository();
    agent.write("new.txt", "new\n");
    await save({ rules: { message: "wip({branch}): {files} files at {percent} %, {unknown} $&", coAuthor: false } });
    expect(await git("log", "-1", "--format=%B")).toMatch(
      /^wip\(work\): 2 files at 43 %, \{unknown\} \$&\n\nCheckpoint-Id: \S+\n?$/,
    );
  });

  test("never holds a file with a secret", async () => {
    const { agent, save, lastCommit } = await aRepository();
    agent.write(".env", "PASSWORD=hunter2hunter2\n");
    agent.write("key.txt", ["token = ghp", "16C7e42F292c6912E7710c838347Ae178B4a\n"].join("_"));
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed", leftOut: { ".env": "secret", "key.txt": "secret" } });
    expect(await lastCommit()).toEqual(["CLAUDE.md", "new.txt"]);
  });

  test("passes over what git ignores, what a link leads to, and what is another repository's", async () => {
    const { agent, save, put, git, project, lastCommit } = await aRepository();
    put(".gitignore", "build/\n");
    await git("add", ".gitignore");
    await git("commit", "--quiet", "--message", "ignore");
    await git("init", "--quiet", "vendor/lib");
    const { symlinkSync } = await import("node:fs");
    symlinkSync("new.txt", join(project, "link.txt"));
    agent.write("build/out.txt", "x");
    agent.write("vendor/lib/inner.txt", "x");
    agent.write("new.txt", "new\n");
    agent.write("link.txt", "new\n");
    const report = await save();
    expect(report).toMatchObject({
      outcome: "committed",
      leftOut: { "build/out.txt": "ignored", "link.txt": "link", "vendor/lib/inner.txt": "nested_repository" },
    });
    expect(await lastCommit()).toEqual(["CLAUDE.md", "new.txt"]);
  });
});

describe("nothing to do", () => {
  test("where the session has written nothing", async () => {
    const { save, state, put } = await aRepository();
    put("mine.txt", "a person's\n");
    const before = await state();
    expect(await save()).toMatchObject({ outcome: "nothing_to_do", commit: null });
    expect(await state()).toEqual(before);
  });

  test("right after a save", async () => {
    const { agent, save, state } = await aRepository();
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed" });
    const before = await state();
    expect(await save()).toMatchObject({ outcome: "nothing_to_do", commit: null });
    expect(await state()).toEqual(before);
  });
});

describe("the status document", () => {
  test("keeps what a person wrote around the section, and is left out where they are at it", async () => {
    const { agent, save, put, project, git } = await aRepository();
    put("CLAUDE.md", "# Rules\r\n\r\nKeep `$&`.\r\n");
    await git("add", "CLAUDE.md");
    await git("commit", "--quiet", "--message", "rules");
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed", files: ["CLAUDE.md", "new.txt"] });
    const document = readFileSync(join(project, "CLAUDE.md"), "utf8");
    expect(document.startsWith("# Rules\r\n\r\nKeep `$&`.\r\n\r\n<!-- BEGIN")).toBe(true);
    put("CLAUDE.md", `${document}A person's line.\r\n`);
    agent.write("more.txt", "more\n");
    expect(await save()).toMatchObject({
      outcome: "committed",
      files: ["more.txt"],
      leftOut: { "CLAUDE.md": "mixed" },
    });
    expect(readFileSync(join(project, "CLAUDE.md"), "utf8")).toBe(`${document}A person's line.\r\n`);
  });

  test("with malformed markers refuses, and nothing changes", async () => {
    const { agent, save, put, git, state } = await aRepository();
    put("CLAUDE.md", "<!-- BEGIN agent-checkpoint:last-session v1 -->\nlost its end\n");
    await git("add", "CLAUDE.md");
    await git("commit", "--quiet", "--message", "rules");
    agent.write("new.txt", "new\n");
    const before = await state();
    expect(await save()).toMatchObject({
      outcome: "refused:status_document",
      checkpoint: expect.stringMatching(/^chk_/),
    });
    expect(await state()).toEqual(before);
  });

  test("may be another one, and a link to one", async () => {
    const { agent, save, put, git, project } = await aRepository();
    const { symlinkSync } = await import("node:fs");
    put("AGENTS.md", "# Rules\n");
    symlinkSync("AGENTS.md", join(project, "CLAUDE.md"));
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "rules");
    agent.write("new.txt", "new\n");
    expect(await save()).toMatchObject({ outcome: "committed", files: ["AGENTS.md", "new.txt"] });
    agent.write("more.txt", "more\n");
    expect(await save({ rules: { statusDocument: "GEMINI.md" } })).toMatchObject({ files: ["GEMINI.md", "more.txt"] });
    expect(existsSync(join(project, "GEMINI.md"))).toBe(true);
  });
});
