import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadScenario, PROMPT_AT } from "@agent-checkpoint/fixtures";
import { type ListedCheckpoint, listCheckpoints, restoreCheckpoint } from "@agent-checkpoint/snapshots";
import { expect, test, vi } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { stageScenario, type StagedScenario } from "./testing/stage-scenario.ts";

const BLOCKED = loadScenario("generic-tests-missing");
const FILE = "src/server.ts";

function stage(safety: object): Promise<StagedScenario> {
  const contents = { ...BLOCKED.contents, "checkpoint.config.json": JSON.stringify({ safety }) };
  return stageScenario({ ...BLOCKED, contents }, "claude");
}

const place = ({ project, home }: StagedScenario) => ({
  cwd: project,
  home,
  userHome: join(home, ".."),
  now: () => new Date(PROMPT_AT.getTime() + 3_600_000),
});

async function snapshots(staged: StagedScenario): Promise<readonly ListedCheckpoint[]> {
  const listed = await listCheckpoints(place(staged));
  return listed.status === "listed" ? listed.checkpoints : [];
}

/** The program goes on after the hook has ended. */
const eventually = (staged: StagedScenario, count: number) =>
  vi.waitFor(async () => expect(await snapshots(staged)).toHaveLength(count), { timeout: 30_000, interval: 100 });

test("a blocked stop leaves a snapshot that goes back to it, shell writes included", { timeout: 60_000 }, async () => {
  const staged = await stage({ snapshot: "blocked", keepDays: 3 });
  await staged.prompt();
  expect(reasonOf(await staged.stop())).not.toBeNull();
  await eventually(staged, 1);
  const [taken] = await snapshots(staged);
  const { sessionId, promptId } = staged.facts;
  expect(taken).toMatchObject({ reason: `stop of turn ${promptId} of session ${sessionId}`, session: null });
  const days = (Date.parse(taken?.expiresAt ?? "") - Date.parse(taken?.createdAt ?? "")) / 86_400_000;
  expect(days).toBe(3);

  const path = join(staged.project, FILE);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, "overwritten by a shell command");
  writeFileSync(join(staged.project, "src/new.ts"), "new");
  const id = taken?.id ?? "";
  const restored = await restoreCheckpoint({ id, removeNew: true, force: true }, place(staged));
  expect(restored.status).toBe("restored");
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(existsSync(join(staged.project, "src/new.ts"))).toBe(false);
});

test("every stop leaves one, also the one that passes", { timeout: 60_000 }, async () => {
  const staged = await stage({ snapshot: "every-stop" });
  await staged.prompt();
  await staged.stop();
  await eventually(staged, 1);
  expect(reasonOf(await staged.stop({ stop_hook_active: true }, 60))).toBeNull();
  await eventually(staged, 2);
});

test("a snapshot that cannot be taken is a line in the log, and the stop is blocked all the same", async () => {
  const staged = await stage({ snapshot: "blocked" });
  rmSync(join(staged.project, ".git/agent-checkpoint"), { recursive: true, force: true });
  writeFileSync(join(staged.project, ".git/agent-checkpoint"), "no folder");
  expect(reasonOf(await staged.stop())).not.toBeNull();
  const log = join(staged.home, "checkpoint.log");
  await vi.waitFor(() => expect(readFileSync(log, "utf8")).toMatch(/ warn snapshot /), { timeout: 30_000 });
});
