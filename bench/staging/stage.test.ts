import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { isInCategory } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { extractToolCallsCurrentTurnSync } from "@agent-checkpoint/transcript";
import { EDITED_FILE } from "./stage-repository.ts";
import { setStage } from "./stage.ts";

test("a stage is a real repository and a real transcript, gone at the end", async () => {
  const place = { files: 120, megabytes: 0.5 };
  const stage = await setStage({ places: [place], configs: { "lefthook.yml": "{}\n" }, say: () => undefined });
  try {
    const git = (cwd: string, ...args: string[]): string => execFileSync("git", args, { cwd, encoding: "utf8" });
    const project = stage.project(place);
    const transcript = stage.transcript(place);
    const timeline = extractToolCallsCurrentTurnSync(transcript, "claude");
    const turnStart = timeline.hasData ? (timeline.prompt?.offset ?? 0) : 0;
    expect({
      tracked: git(project, "ls-files").trimEnd().split("\n").length,
      changed: git(project, "status", "--porcelain"),
      alternatives: git(stage.alternativesProject, "ls-files", "lefthook.yml"),
      calls: timeline.toolCalls.map(({ toolName }) => toolName),
      isWhole: timeline.hasData && timeline.isWhole,
    }).toEqual({
      tracked: 120,
      changed: " M src/server.ts\n",
      alternatives: "lefthook.yml\n",
      calls: ["Read", "Edit", ...Array.from({ length: 8 }, () => "Bash")],
      isWhole: true,
    });
    const { size, blocks } = statSync(transcript);
    expect(Math.abs(size / (0.5 * 1024 * 1024) - 1)).toBeLessThan(0.05);
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    expect(Math.abs((size - turnStart) / (53 * 1024) - 1)).toBeLessThan(0.1);
    expect(() =>
      readFileSync(transcript, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).not.toThrow();
  } finally {
    stage.remove();
  }
  expect(existsSync(stage.folder)).toBe(false);
});

test("a repository with a config has one that can be used, and whose own row the change falls under", async () => {
  const place = { files: 100, megabytes: 0.1, hasConfig: true };
  const stage = await setStage({ places: [place], configs: null, say: () => undefined });
  try {
    const loaded = loadRules(stage.project(place), null);
    expect(loaded).toMatchObject({ ok: true, rules: { preset: "generic" }, configFile: "checkpoint.config.json" });
    const rules = loaded.ok ? loaded.rules : null;
    const server = rules?.categories.find(({ id }) => id === "server");
    expect(server !== undefined && isInCategory(EDITED_FILE, server)).toBe(true);
  } finally {
    stage.remove();
  }
});
