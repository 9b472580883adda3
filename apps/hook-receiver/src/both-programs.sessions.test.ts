import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadScenario } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { expect, test } from "vitest";
import { BINARY, NODE_PROGRAM, reasonOf } from "./testing/hook-process.ts";
import { logLines } from "./testing/log-lines.ts";
import { stageFault, storedStops } from "./testing/stage-fault.ts";

// A person may have the executable registered, and a project the Node program: both write to one home.

const PROGRAMS = { node: [process.execPath, NODE_PROGRAM], binary: [BINARY] } as const;
type Program = keyof typeof PROGRAMS;

const { minutes } = loadScenario("daemon-change-not-restarted");
const TURNS = Array.from({ length: 8 }, (_, index) => `turn-${index}`);

test.runIf(existsSync(BINARY))(
  "eight turns, each stopped twice by both programs at once, are blocked once each",
  async () => {
    const staged = await stageFault();
    const promptAt = staged.facts.promptAt.getTime();
    const call = async (program: Program, turn: string) => {
      const [command, ...args] = PROGRAMS[program];
      const now = new Date(promptAt + minutes * 60_000).toISOString();
      return execa(command, [...args, "--agent", "claude"], {
        env: { ...staged.env, CHECKPOINT_NOW: now },
        input: JSON.stringify(staged.event({ session_id: turn, prompt_id: turn })),
        stripFinalNewline: false,
      });
    };
    const answers = await Promise.all(
      TURNS.map((turn) =>
        Promise.all((["node", "binary", "node", "binary"] as const).map((program) => call(program, turn))),
      ),
    );
    expect(answers.map((ofTurn) => ofTurn.filter((answer) => reasonOf(answer) !== null).length)).toEqual(
      TURNS.map(() => 1),
    );
    const rows = storedStops(staged.database).filter((row) => row.startsWith("turn-"));
    const expected = TURNS.flatMap((turn) => [
      `${turn}: block missing-actions`,
      ...Array.from({ length: 3 }, () => `${turn}: pass already-blocked`),
    ]);
    expect(rows.toSorted()).toEqual(expected.toSorted());
    expect(logLines(staged.home)).toEqual([]);
  },
);

test.runIf(existsSync(BINARY))("both programs give the same answer and keep the same record", async () => {
  const [first, second] = await Promise.all([answerOf("node"), answerOf("binary")]);
  expect(second).toEqual(first);
});

async function answerOf(program: Program) {
  const staged = await stageFault();
  const [command, ...args] = PROGRAMS[program];
  const options = { env: { ...staged.env, CHECKPOINT_NOW: "2026-03-02T09:04:00Z" }, stripFinalNewline: false } as const;
  const stop = () =>
    execa(command, [...args, "--agent", "claude"], { ...options, input: JSON.stringify(staged.event()) });
  const [first, again] = [await stop(), await stop()];
  return {
    first: first.stdout.replaceAll(staged.project, "PROJECT"),
    again: again.stdout,
    rows: storedStops(join(staged.home, "checkpoint.db")),
  };
}
