import { expect, test } from "vitest";
import { isHarmless } from "./is-harmless.ts";

const commands = [
  { command: "ls -la src", harmless: true },
  { command: "git status --short", harmless: true },
  { command: "cat 'a file' b.txt", harmless: true },
  { command: "checkpoint snapshot create /p/src --root /p --reason 'before Edit; rm -rf x'", harmless: true },
  {
    command: "'/opt/my node/bin/node' /usr/lib/checkpoint.mjs snapshot restore chk_20310131_120000_a1b2c3",
    harmless: true,
  },
  { command: "npx checkpoint snapshot list", harmless: true },
  { command: String.raw`checkpoint snapshot create '/p/it'\''s' --root '/p/it'\''s'`, harmless: true },
  { command: 'checkpoint snapshot create . --reason "before it\'s gone"', harmless: true },
  { command: "rm -rf src", harmless: false },
  { command: "ls > listing", harmless: false },
  { command: "ls; rm x", harmless: false },
  { command: "ls && rm x", harmless: false },
  { command: "cat x | tee y", harmless: false },
  { command: "ls\nrm x", harmless: false },
  { command: "ls $(rm x)", harmless: false },
  { command: 'ls "$(rm x)"', harmless: false },
  { command: "ls `rm x`", harmless: false },
  { command: "checkpoint snapshot create . && rm x", harmless: false },
  { command: 'checkpoint snapshot create . --reason "$(rm x)"', harmless: false },
  { command: "checkpoint uninstall", harmless: false },
  { command: "node evil/not-checkpoint.mjs snapshot create", harmless: false },
  { command: "X=1 ls", harmless: false },
  { command: "git status; git clean -fd", harmless: false },
  { command: "git checkout .", harmless: false },
  { command: "ls a\\ b", harmless: false },
  { command: "ls \\'; rm x", harmless: false },
  { command: "", harmless: false },
];

test("a long command line is read in no time, also where its end spoils it", () => {
  const long = `checkpoint snapshot create ${"a/very/long/path ".repeat(2000)}`;
  expect([`${long}x`, `${long}$(rm x)`, `${long}'`].map(isHarmless)).toEqual([true, false, false]);
});

test.for(commands)("$command", ({ command, harmless }) => {
  expect(isHarmless(command)).toBe(harmless);
});
