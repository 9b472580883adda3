import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aRepository, type ARepository } from "../testing/a-repository.ts";

/** A state of the repository in which nothing is committed. */
interface RefusedState {
  readonly state: string;
  readonly outcome: string;
  readonly branch?: string;
  readonly budgetMs?: number;
  readonly make: (repository: ARepository) => Promise<unknown> | void;
}

const states: RefusedState[] = [
  { state: "the branch `main`", branch: "main", outcome: "refused:protected-branch", make: () => undefined },
  {
    state: "a branch of a protected kind",
    outcome: "refused:protected-branch",
    make: ({ git }) => git("checkout", "--quiet", "-b", "release/1.2"),
  },
  {
    state: "a detached HEAD",
    outcome: "refused:detached-head",
    make: ({ git }) => git("checkout", "--quiet", "--detach"),
  },
  {
    state: "a merge",
    outcome: "refused:merge",
    make: async ({ git, put }) => {
      await git("checkout", "--quiet", "-b", "other");
      put("b.txt", "theirs\n");
      await git("commit", "--quiet", "--all", "--message", "theirs");
      await git("checkout", "--quiet", "work");
      await git("merge", "--quiet", "--no-commit", "--no-ff", "other");
    },
  },
  {
    state: "a rebase",
    outcome: "refused:rebase",
    make: async ({ git, put }) => {
      await git("checkout", "--quiet", "-b", "other");
      put("b.txt", "theirs\n");
      await git("commit", "--quiet", "--all", "--message", "theirs");
      await git("checkout", "--quiet", "work");
      put("b.txt", "ours\n");
      await git("commit", "--quiet", "--all", "--message", "ours");
      await git("rebase", "other").catch(() => undefined);
    },
  },
  {
    state: "a cherry-pick with conflicts",
    outcome: "refused:cherry-pick",
    make: async ({ git, put }) => {
      await git("checkout", "--quiet", "-b", "other");
      put("b.txt", "theirs\n");
      await git("commit", "--quiet", "--all", "--message", "theirs");
      await git("checkout", "--quiet", "work");
      put("b.txt", "ours\n");
      await git("commit", "--quiet", "--all", "--message", "ours");
      await git("cherry-pick", "other").catch(() => undefined);
    },
  },
  {
    state: "a bisect",
    outcome: "refused:bisect",
    make: ({ git }) => git("bisect", "start"),
  },
  {
    state: "a folder of a repository around it",
    outcome: "refused:parent-repository",
    make: ({ put }) => put("inner/mine.txt", "a person's\n"),
  },
  {
    state: "a lock that somebody holds",
    outcome: "refused:index-locked",
    budgetMs: 4000,
    make: ({ project }) => writeFileSync(join(project, ".git", "index.lock"), ""),
  },
  {
    state: "only files that a person has changed as well",
    outcome: "refused:mixed-files",
    make: ({ put }) => put("new.txt", "new\nand a person's\n"),
  },
];

describe("refused, with the work tree as it was and a snapshot taken", () => {
  test.for(states)("$state: $outcome", { timeout: 40_000 }, async ({ branch, outcome, budgetMs, make }) => {
    const repository = await aRepository(branch === undefined ? {} : { branch });
    const { agent, save, state, project } = repository;
    await make(repository);
    const isInner = outcome === "refused:parent-repository";
    if (outcome !== "refused:mixed-files") agent.write("new.txt", "new\n");
    else agentWrote(repository);
    const lock = join(project, ".git", "index.lock");
    const hasLock = existsSync(lock);
    const before = await state();
    const report = await save({
      ...(isInner && { projectPath: join(project, "inner") }),
      ...(budgetMs !== undefined && { budgetMs }),
    });
    expect(report).toMatchObject({ outcome, commit: null, checkpoint: expect.stringMatching(/^chk_/) });
    expect(report.section).toContain("`new.txt`");
    expect(existsSync(lock)).toBe(hasLock);
    expect(await state()).toEqual(before);
    expect(existsSync(join(project, "CLAUDE.md"))).toBe(false);
  });
});

/** The agent's write, then the person's on top of it. */
function agentWrote({ agent, put }: ARepository): void {
  agent.write("new.txt", "new\n");
  put("new.txt", "new\nand a person's\n");
}

test("a folder without a repository is refused", async () => {
  const { agent, save, project } = await aRepository();
  rmSync(join(project, ".git"), { recursive: true });
  agent.write("new.txt", "new\n");
  expect(await save()).toMatchObject({
    outcome: "refused:not-a-repository",
    checkpoint: expect.stringMatching(/^chk_/),
  });
});

test("a protected branch that is allowed is committed to", async () => {
  const { agent, save } = await aRepository({ branch: "main" });
  agent.write("new.txt", "new\n");
  expect(await save({ rules: { protectedBranches: [] } })).toMatchObject({ outcome: "committed", branch: "main" });
});

/** A commit that fails on the way. */
interface FailedCommit {
  readonly what: string;
  readonly outcome: string;
  readonly detail: RegExp;
  readonly budgetMs?: number;
  readonly make: (repository: ARepository) => Promise<unknown> | void;
  /** What another process has changed in the meantime. */
  readonly moved?: (repository: ARepository) => Promise<object>;
}

const failures: FailedCommit[] = [
  {
    what: "a pre-commit hook that says no",
    outcome: "failed:commit",
    detail: /lint is unhappy/,
    make: ({ hook }) => hook("pre-commit", "echo lint is unhappy >&2; exit 1"),
  },
  {
    what: "a pre-commit hook that hangs",
    outcome: "failed:commit",
    detail: /did not end in time/,
    budgetMs: 4000,
    make: ({ hook }) => hook("pre-commit", "sleep 600"),
  },
  {
    what: "a pre-commit hook that hangs and does not listen",
    outcome: "failed:commit",
    detail: /did not end in time/,
    budgetMs: 4000,
    make: ({ hook }) => hook("pre-commit", "trap '' TERM; for i in $(seq 600); do sleep 1; done"),
  },
  {
    what: "a commit-msg hook that says no",
    outcome: "failed:commit",
    detail: /no such ticket/,
    make: ({ hook }) => hook("commit-msg", "echo no such ticket >&2; exit 1"),
  },
  {
    what: "a signer that fails",
    outcome: "failed:commit",
    detail: /gpg failed to sign|failed to write commit/,
    make: async ({ git }) => {
      await git("config", "commit.gpgSign", "true");
      await git("config", "gpg.program", "false");
    },
  },
  {
    what: "a branch that somebody switches in the middle",
    outcome: "failed:commit",
    detail: /the branch was work and is elsewhere|cannot lock ref|expected/,
    moved: async ({ git }) => ({ head: await git("rev-parse", "elsewhere"), branch: "elsewhere" }),
    make: async ({ hook, git }) => {
      await git("branch", "elsewhere");
      hook(
        "pre-commit",
        "git symbolic-ref HEAD refs/heads/elsewhere; git update-ref refs/heads/elsewhere $(git commit-tree -m x -p HEAD HEAD^{tree})",
      );
    },
  },
];

describe("failed, with the work tree as it was", () => {
  test.for(failures)("$what: $outcome", { timeout: 40_000 }, async (given) => {
    const { outcome, detail, budgetMs, make, moved = async () => ({}) } = given;
    const repository = await aRepository();
    const { agent, save, put, git, project } = repository;
    put("CLAUDE.md", "# Rules\n");
    await git("add", "CLAUDE.md");
    await git("commit", "--quiet", "--message", "rules");
    await make(repository);
    agent.edit("a.txt", "two", "TWO");
    agent.write("new.txt", "new\n");
    put("b.txt", "staged\n");
    await git("add", "b.txt");
    const before = await repository.state();
    const report = await save({ ...(budgetMs !== undefined && { budgetMs }) });
    expect(report).toMatchObject({ outcome, commit: null, files: [] });
    expect(report.detail).toMatch(detail);
    expect(report.section).toContain("`new.txt`");
    expect(readFileSync(join(project, "CLAUDE.md"), "utf8")).toBe("# Rules\n");
    expect(existsSync(join(project, ".git", "index.lock"))).toBe(false);
    const after = await repository.state();
    expect(after).toEqual({ ...before, ...(await moved(repository)) });
  });
});

test("a branch that somebody moves on is committed on top of", async () => {
  const { agent, save, hook, git, project } = await aRepository();
  agent.write("new.txt", "new\n");
  const flag = join(project, ".git", "moved");
  hook(
    "pre-commit",
    `if [ ! -e ${flag} ]; then touch ${flag}; git update-ref refs/heads/work $(git commit-tree -m theirs -p HEAD HEAD^{tree}); fi`,
  );
  expect(await save()).toMatchObject({ outcome: "committed" });
  expect(await git("log", "--format=%s")).toBe("checkpoint: auto-checkpoint\ntheirs\nfirst");
});

test("a lock that is let go in time is waited for", async () => {
  const { agent, save, project } = await aRepository();
  agent.write("new.txt", "new\n");
  const lock = join(project, ".git", "index.lock");
  writeFileSync(lock, "");
  setTimeout(() => rmSync(lock), 1200);
  expect(await save()).toMatchObject({ outcome: "committed" });
});

test("a hook that rewrites a file is told of", async () => {
  const { agent, save, hook } = await aRepository();
  agent.write("new.txt", "new\n");
  hook("pre-commit", "echo formatted > new.txt; git add new.txt");
  expect(await save()).toMatchObject({ outcome: "committed", altered: ["new.txt"] });
});
