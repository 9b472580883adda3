import { expect, test } from "vitest";
import { parseTaskEnds } from "./formats/claude/calls.ts";
import { runsApplyPatch } from "./formats/codex/parse-call.ts";
import { commandsInScript } from "./formats/codex/script-calls.ts";

const saidByUser = (content: string) => ({ type: "user", message: { content } });
const inNotification = (text: string) => saidByUser(`<task-notification>${text}</task-notification>`);

/** Texts that a pattern which looks for an end from every beginning takes ten seconds and more for. */
const cases = [
  {
    text: "beginnings of notifications",
    read: () => parseTaskEnds(saidByUser("<task-notification>".repeat(50_000))),
    found: [],
  },
  { text: "beginnings of summaries", read: () => parseTaskEnds(inNotification("<summary>".repeat(80_000))), found: [] },
  { text: "line breaks before a patch", read: () => runsApplyPatch(`cat${"\n".repeat(200_000)}`), found: false },
];
test.for(cases)("many $text are read in a moment", ({ read, found }) => {
  const before = process.cpuUsage();
  expect(read()).toEqual(found);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});

test("a notification ends where its end first stands, and the next begins behind it", () => {
  const one = "<task-notification><task-id>a</task-id><status>completed</status></task-notification>";
  const open = "<task-notification><task-id>b</task-id><status>failed</status>";
  expect(parseTaskEnds(saidByUser(`${one} </task-notification> ${open}${one}`))).toEqual([
    { of: "a", hadError: false, exitCode: null },
    { of: "b", hadError: true, exitCode: null },
  ]);
});

const patches = [
  { command: "apply_patch <<E\n*** Begin Patch", runs: true },
  { command: "cd a &&  apply_patch '*** Begin Patch'", runs: true },
  { command: "cd a;\n\n\t applypatch '*** Begin Patch'", runs: true },
  { command: "\n\n  apply_patch '*** Begin Patch'", runs: true },
  { command: "echo apply_patch '*** Begin Patch'", runs: false },
];
test.for(patches)("$command runs a patch: $runs", ({ command, runs }) => {
  expect(runsApplyPatch(command)).toBe(runs);
});

test("a command of many megabytes in a script is passed over", () => {
  const script = `exec_command({ cmd: "make" }); exec_command({ cmd: "${"a".repeat(20_000_000)}" })`;
  expect(commandsInScript(script)).toEqual([{ command: "make", workdir: null }]);
});
