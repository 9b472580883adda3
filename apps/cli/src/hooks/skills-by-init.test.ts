import { existsSync, mkdirSync, rmSync } from "node:fs";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { SKILLS } from "./skill-texts.ts";
import type { InitReport } from "./run-init.ts";
import { stageHome } from "./testing/stage-home.ts";

const statuses = (stdout: string) =>
  (JSON.parse(stdout) as Pick<InitReport, "agents">).agents.flatMap(({ skills }) => skills.map(({ status }) => status));

test("init writes the skills of the plugin where each agent finds skills, once", async () => {
  const { run, skills } = stageHome();
  expect(statuses((await run("init --json")).stdout)).toEqual(Array(6).fill("written"));
  expect(Object.keys(skills())).toEqual(
    ["claude", "codex", "gemini"].flatMap((agent) =>
      ["checkpoint", "restore"].map((name) => `.${agent}/skills/${name}/SKILL.md`),
    ),
  );
  const { checkpoint = "" } = SKILLS;
  expect(skills()[".claude/skills/checkpoint/SKILL.md"]?.startsWith(checkpoint)).toBe(true);
  expect(statuses((await run("init --json")).stdout)).toEqual(Array(6).fill("unchanged"));
});

test("every agent that we serve has a folder of skills, of a person and of a project", async () => {
  const { run, skills } = stageHome();
  const all = AGENT_NAMES.join(" ");
  await run(`init --json --no-config --agent ${all}`);
  await run(`init --json --no-config --project --agent ${all}`);
  expect(Object.keys(skills()).filter((path) => path.endsWith("/restore/SKILL.md"))).toEqual([
    ".claude/skills/restore/SKILL.md",
    ".codex/skills/restore/SKILL.md",
    ".config/opencode/skills/restore/SKILL.md",
    ".copilot/skills/restore/SKILL.md",
    ".gemini/skills/restore/SKILL.md",
    ".pi/agent/skills/restore/SKILL.md",
    ".qwen/skills/restore/SKILL.md",
    ".github/skills/restore/SKILL.md",
    ".opencode/skills/restore/SKILL.md",
    ".pi/skills/restore/SKILL.md",
  ]);
});

test("uninstall removes what init wrote, with the folders that it made", async () => {
  const { run, skills, at } = stageHome();
  await run("init --json");
  const { stdout } = await run("uninstall --json");
  expect(statuses(stdout).filter((status) => status === "removed")).toHaveLength(6);
  expect(skills()).toEqual({});
  expect(existsSync(at(".gemini"))).toBe(false);
});

test("a skill that a person has written or changed is neither replaced nor removed, and said", async () => {
  const { run, skills, write, read } = stageHome(["claude"]);
  write(".claude/skills/checkpoint/SKILL.md", "mine\n");
  const first = await run("init");
  expect(first.stdout).toContain(
    ".claude/skills/checkpoint/SKILL.md is your own, or was changed by you: left unchanged.",
  );
  write(".claude/skills/restore/SKILL.md", read(".claude/skills/restore/SKILL.md").replace("Bring back", "Get back"));
  const kept = skills();
  expect(statuses((await run("init --json")).stdout)).toEqual(["kept", "kept"]);
  expect((await run("uninstall")).stdout).toContain(
    ".claude/skills/restore/SKILL.md is your own, or was changed by you",
  );
  expect(skills()).toEqual(kept);
});

test("a skill of an earlier version is brought up to date", async () => {
  const { run, write, read } = stageHome(["claude"]);
  await run("init --json");
  const [current, other] = ["checkpoint", "restore"].map((name) => read(`.claude/skills/${name}/SKILL.md`));
  // Any text of ours will do for an earlier one: its mark fits.
  write(".claude/skills/checkpoint/SKILL.md", other ?? "");
  expect(statuses((await run("init --json")).stdout)).toEqual(["updated", "unchanged"]);
  expect(read(".claude/skills/checkpoint/SKILL.md")).toBe(current);
});

test("--no-skills and a dry run write none", async () => {
  const { run, skills } = stageHome();
  await run("init --json --no-skills");
  expect(statuses((await run("init --json --dry-run")).stdout)).toEqual(Array(6).fill("written"));
  expect(skills()).toEqual({});
});

test("a skill that cannot be written fails, and the hooks are registered all the same", async () => {
  const { run, at } = stageHome(["claude"]);
  rmSync(at(".claude/skills"), { recursive: true, force: true });
  mkdirSync(at(".claude/skills/checkpoint/SKILL.md"), { recursive: true });
  const { stdout, exitCode } = await run("init --json");
  expect({ exitCode, statuses: statuses(stdout) }).toEqual({ exitCode: 3, statuses: ["failed", "written"] });
});
