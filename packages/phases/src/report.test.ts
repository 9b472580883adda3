import { expect, test } from "vitest";
import { CheckpointError, createReporter } from "./report.ts";

const thrown = (value: unknown) => () => {
  throw value;
};

const faults = [
  { what: "a fault", error: new CheckpointError("locked", "held"), fault: { code: "locked", message: "held" } },
  {
    what: "a bug",
    error: new TypeError("x is not a function"),
    fault: { code: "failed", message: "x is not a function" },
  },
  {
    what: "no error",
    error: Object.create(null),
    fault: { code: "failed", message: "a value that is not an error was thrown" },
  },
];
test.for(faults)("$what becomes the fallback, a line and the last error", ({ error, fault }) => {
  const lines: string[] = [];
  const reporter = createReporter((line) => lines.push(line));
  expect(reporter.attempt(thrown(error), "fallback")).toBe("fallback");
  expect({ lines, last: reporter.getLastError() }).toEqual({ lines: [fault.message], last: fault });
});

test("a call that succeeds clears the last error", () => {
  const reporter = createReporter(() => {});
  reporter.attempt(thrown(new Error("x")), 0);
  expect(reporter.attempt(() => 1, 0)).toBe(1);
  expect(reporter.getLastError()).toBeNull();
});

test("a log that throws changes nothing", () => {
  const reporter = createReporter(thrown(new Error("no log")));
  expect(reporter.attempt(thrown(new Error("x")), false)).toBe(false);
  reporter.warn("y");
  expect(reporter.getLastError()?.message).toBe("x");
});

test("a message stays on its line and moves no cursor", () => {
  const lines: string[] = [];
  createReporter((line) => lines.push(line)).warn("a\r\nb\u001B[2Jc\u2028d\u202Ee");
  expect(lines).toEqual(["a b [2Jc d e"]);
});
