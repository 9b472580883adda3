import { describe, expect, test } from "vitest";
import type { Answer } from "../candidate.ts";
import { expectAnswer } from "./expect-answer.ts";

const BLOCK = '{"decision":"block","reason":"Run the tests"}\n';

interface Case {
  readonly what: string;
  readonly answer: Answer;
  readonly stdout: string;
  readonly exitCode?: number;
  readonly counts: boolean;
}

const CASES: readonly Case[] = [
  { what: "a pass that is silent", answer: "nothing", stdout: "", counts: true },
  { what: "a pass that blocks", answer: "nothing", stdout: BLOCK, counts: false },
  { what: "a block", answer: "block", stdout: BLOCK, counts: true },
  { what: "a block that passes", answer: "block", stdout: "", counts: false },
  { what: "a block with an exit code", answer: "block", stdout: BLOCK, exitCode: 1, counts: false },
  { what: "the words", answer: { holding: "src/server.ts" }, stdout: "src/server.ts\n", counts: true },
  { what: "other words", answer: { holding: "src/server.ts" }, stdout: "fatal\n", counts: false },
  { what: "no words asked for", answer: { holding: "" }, stdout: "", counts: true },
];

describe("a call counts only with its answer", () => {
  test.for(CASES)("$what", ({ answer, stdout, exitCode = 0, counts }) => {
    const check = (): void => expectAnswer("one", answer, { stdout, stderr: "", exitCode });
    expect(catches(check)).toBe(!counts);
  });
});

function catches(work: () => void): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
