import { expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import { canTakePeak, takePeak } from "./take-peak.ts";

const HOLD = "const held = Buffer.alloc(200 << 20, 1); setTimeout(() => held, 150);";
const SPAWN = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(HOLD)}]);`;

const node = (script: string): Candidate => ({
  id: "node",
  label: "node",
  kind: "hook",
  answer: "nothing",
  next: () => ({
    measured: [{ program: process.execPath, args: ["-e", script], cwd: "/", env: {} }],
  }),
});

test.runIf(canTakePeak())("what a process holds for a moment counts", async () => {
  const [bare, holding, starting] = [
    await takePeak(node("0")),
    await takePeak(node(HOLD)),
    await takePeak(node(SPAWN)),
  ];
  expect({
    bare: bare > 20 && bare < 150,
    holding: holding > bare + 180,
    "a program that it starts": starting > bare + 180,
  }).toEqual({ bare: true, holding: true, "a program that it starts": true });
});
