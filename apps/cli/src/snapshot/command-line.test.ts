import { expect, test } from "vitest";
import { commandLine } from "./run-safely.ts";

test.for([
  { name: "list", words: [], flags: { json: true, root: "/x" }, line: "checkpoint snapshot list" },
  { name: "gc", words: [], flags: { apply: true }, line: "checkpoint snapshot gc --apply" },
  {
    name: "create",
    words: ["a", "b"],
    flags: { reason: "two words" },
    line: "checkpoint snapshot create a b --reason two words",
  },
  {
    name: "restore",
    words: ["chk_1"],
    flags: { scope: ["a", "b"], removeNew: true, force: false, into: undefined },
    line: "checkpoint snapshot restore chk_1 --scope a b --remove-new",
  },
])("$line", ({ name, words, flags, line }) => {
  expect(commandLine(name, words, flags)).toBe(line);
});
