import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aRepository } from "../testing/a-repository.ts";

test("a hundred runs in a row: one section, and no empty commit", { timeout: 240_000 }, async () => {
  const { agent, save, git, project } = await aRepository();
  agent.write("work.txt", "0\n");
  const outcomes: string[] = [];
  for (let run = 1; run <= 100; run += 1) {
    if (run % 10 === 0) agent.edit("work.txt", `${run / 10 - 1}\n`, `${run / 10}\n`);
    outcomes.push((await save()).outcome);
  }
  // The first run and every tenth have something to save.
  expect(outcomes).toEqual(
    Array.from({ length: 100 }, (_, index) => (index === 0 || (index + 1) % 10 === 0 ? "committed" : "nothing_to_do")),
  );
  expect(await git("rev-list", "--count", "HEAD")).toBe("12");
  for (const id of (await git("rev-list", "HEAD")).split("\n").slice(0, -1))
    expect(await git("diff-tree", "--no-commit-id", "--name-only", "-r", id)).not.toBe("");
  expect(readFileSync(join(project, "CLAUDE.md"), "utf8").match(/## Last Session/g)).toHaveLength(1);
  expect(await git("status", "--porcelain")).toBe("");
});
