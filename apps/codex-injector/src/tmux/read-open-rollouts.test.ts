import { closeSync, existsSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOpenRollouts } from "./codex-processes.ts";

/** Opens a file with these lines, until the test is over. */
function openFile(folder: string, name: string, ...lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const file = openSync(path, "a");
  onTestFinished(() => closeSync(file));
  return path;
}

test.runIf(existsSync("/proc/self/fd"))("the rollouts of user threads that a process holds open", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rollouts-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const meta = (source: unknown): unknown => ({ type: "session_meta", payload: { id: "x", source } });
  const mine = [
    openFile(folder, "rollout-embedded.jsonl", meta("cli"), { text: '"subagent"' }),
    openFile(folder, "rollout-daemon.jsonl", meta("vscode")),
    openFile(folder, "rollout-empty.jsonl"),
  ];
  openFile(folder, "rollout-sub-agent.jsonl", meta({ subagent: { thread_spawn: { depth: 1 } } }));
  openFile(folder, "history.jsonl");
  writeFileSync(join(folder, "rollout-closed.jsonl"), "");
  const found = await readOpenRollouts([process.pid]);
  expect(found.filter((path) => path.startsWith(folder)).sort()).toEqual(mine.sort());
});

test("a process that is gone holds none", async () => {
  expect(await readOpenRollouts([2 ** 30])).toEqual([]);
});
