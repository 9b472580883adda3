import { expect, test } from "vitest";
import { parseCommandLine } from "./parse-command-line.ts";

test.for(["coproc ", "function f ", "f() "])("nothing is read in a line of %s, deeper than the stack", (unit) => {
  expect(parseCommandLine(`make; ${unit.repeat(100_000 / unit.length)}`)).toEqual([]);
});
