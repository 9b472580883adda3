import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBridge } from "@agent-checkpoint/autosave/threshold";
import { afterAll, expect, test } from "vitest";
import { createStyle } from "../terminal/style.ts";
import { bridgeStatusline } from "./statusline.ts";

const home = mkdtempSync(join(tmpdir(), "checkpoint-statusline-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const now = new Date("2026-11-16T12:00:00Z");

/** Runs it with a payload and returns what it printed. */
function shown(payload: unknown, options: { line?: string; json?: true } = {}) {
  const said = { stdout: "", stderr: "", exitCode: 0 };
  bridgeStatusline(
    options,
    {
      out: (text) => void (said.stdout += text),
      err: (text) => void (said.stderr += text),
      exit: (code) => void (said.exitCode = code),
      env: { PATH: process.env["PATH"] },
      cwd: home,
      home,
      userHome: home,
      isTerminal: false,
      columns: 80,
      isProgressShown: false,
      ask: null,
      ended: () => Promise.resolve(),
      style: createStyle({ isTerminal: false, env: {} }),
      now: () => now,
    },
    typeof payload === "string" ? payload : JSON.stringify(payload),
  );
  return said;
}

const payload = (session_id: string) => ({
  session_id,
  model: { display_name: "Opus" },
  context_window: { used_percentage: 43, context_window_size: 200_000, current_usage: { input_tokens: 86_000 } },
});

test("leaves the usage for the hook, and shows it", () => {
  expect(shown(payload("s-1"))).toEqual({ stdout: "context 43 %\n", stderr: "", exitCode: 0 });
  expect(readBridge(home, "s-1", now)).toEqual({ percent: 43, tokens: 86_000, window: 200_000, at: now });
});

test("passes the person's own line through, with the same input", () => {
  const line = "grep -o Opus; echo problem >&2; exit 3";
  expect(shown(payload("s-2"), { line })).toEqual({ stdout: "Opus\n", stderr: "problem\n", exitCode: 3 });
  expect(readBridge(home, "s-2", now)).toMatchObject({ percent: 43 });
});

test.for(["", "{", "[]", '{"session_id":"s-3"}', '{"context_window":{"used_percentage":43}}'])(
  "%j leaves nothing and fails nothing",
  (text) => {
    expect(shown(text, { line: "echo line" })).toEqual({ stdout: "line\n", stderr: "", exitCode: 0 });
    expect(readBridge(home, "s-3", now)).toBeNull();
  },
);
