import { expect, test } from "vitest";
import { commandsInScript } from "./script-calls.ts";

const cases = [
  { script: 'await tools.exec_command({ cmd: "npm test" });', commands: ["npm test"] },
  {
    script: "const r = await tools.exec_command({ workdir: '/p', cmd: 'npm test' }); text(r.output);",
    commands: ["npm test"],
  },
  { script: 'await tools.exec_command({ cmd: "echo \\"a\\"\\nls" });', commands: ['echo "a"\nls'] },
  { script: "await tools.exec_command({ cmd: `npm test` });", commands: ["npm test"] },
  { script: 'for (const c of ["a"]) await tools.exec_command({ cmd: c });', commands: [] },
  { script: "await tools.exec_command({ cmd: `npm test ${name}` });", commands: [] },
  { script: 'tools.exec_command({cmd:"one"}); tools.exec_command({cmd:"two"})', commands: ["one", "two"] },
  { script: 'text("exec_command is a tool")', commands: [] },
  { script: 'await tools.exec_command({"cmd":"npm test","yield_time_ms":1000})', commands: ["npm test"] },
  { script: "await tools.exec_command({ 'cmd': 'npm test' })", commands: ["npm test"] },
];

test.for(cases)("$script", ({ script, commands }) => {
  expect(commandsInScript(script).map(({ command }) => command)).toEqual(commands);
});

test("a folder behind the command is the command's", () => {
  expect(commandsInScript('exec_command({"cmd":"a","workdir":"/p"}); exec_command({"cmd":"b"})')).toEqual([
    { command: "a", workdir: "/p" },
    { command: "b", workdir: null },
  ]);
});
