import { expect, test } from "vitest";
import { foregroundOf } from "./codex-processes.ts";

const SHELL = { pid: 10, name: "bash", group: 10, terminalGroup: 20 };
const NPM = { pid: 20, name: "node", group: 20, terminalGroup: 20 };
const CODEX = { pid: 21, name: "codex", group: 20, terminalGroup: 20 };
const DAEMON = { pid: 30, name: "codex", group: 30, terminalGroup: -1 };
const STRANGER = { pid: 40, name: "vim", group: 40, terminalGroup: 40 };

const cases = [
  { terminal: "Codex's", processes: [SHELL, NPM, CODEX, DAEMON, STRANGER], pid: 10, names: ["node", "codex"] },
  {
    terminal: "the shell's, Codex is stopped",
    processes: [{ ...SHELL, terminalGroup: 10 }, NPM, CODEX],
    pid: 10,
    names: ["bash"],
  },
  { terminal: "none", processes: [DAEMON], pid: 30, names: [] },
  { terminal: "of a process that is gone", processes: [CODEX], pid: 99, names: [] },
];
test.for(cases)("the terminal is $terminal", ({ processes, pid, names }) => {
  expect(foregroundOf(processes, pid).map(({ name }) => name)).toEqual(names);
});
