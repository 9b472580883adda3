import { expect, test } from "vitest";
import { createStyle } from "../terminal/style.ts";
import { fail, ok, warn } from "./check.ts";
import { renderReport } from "./run-doctor.ts";
import type { DoctorReport } from "./run-doctor.ts";

const OPTIONS = {
  style: createStyle({ isTerminal: false, env: {} }),
  columns: 60,
  env: { LANG: "C.UTF-8" },
  userHome: "/home/dev",
};

const report: DoctorReport = {
  verdict: "fail",
  counts: { ok: 1, warn: 1, fail: 1 },
  groups: [
    {
      id: "claude",
      title: "Claude Code",
      checks: [
        { id: "version", title: "version", findings: [ok("2.1.325")] },
        {
          id: "registered",
          title: "registered",
          findings: [fail("/home/dev/.claude/settings.json is not what it should be at all", "checkpoint init")],
        },
      ],
    },
    {
      id: "machine",
      title: "This machine",
      checks: [
        {
          id: "log",
          title: "log",
          findings: [warn("1 fault: \u001B[31mred\u202E", "Read it from its beginning to its end, and then again")],
        },
      ],
    },
  ],
};

test("one line per finding, its fix below it, the verdict last", () => {
  expect(renderReport(report, OPTIONS)).toBe(
    `Claude Code
  ✓ version     2.1.325
  ✗ registered  ~/.claude/settings.json is not what it
                should be at all
                → checkpoint init

This machine
  ! log         1 fault: \\x1b[31mred\\u{202e}
                → Read it from its beginning to its end, and
                  then again

1 fault, 1 warning.
`,
  );
});

test("without UTF-8 all of it is ASCII", () => {
  const text = renderReport(report, { ...OPTIONS, env: { LANG: "C" } });
  expect(text).toContain("  + version     2.1.325\n  x registered  ~/.claude");
  expect(text).toContain("                -> checkpoint init\n");
  expect(text).toMatch(/^[\n\x20-\x7E]*$/);
});

const verdicts = [
  { counts: { ok: 3, warn: 0, fail: 0 }, verdict: "ok", says: "Everything is in order." },
  { counts: { ok: 3, warn: 2, fail: 0 }, verdict: "warn", says: "No fault, 2 warnings." },
  { counts: { ok: 3, warn: 0, fail: 2 }, verdict: "fail", says: "2 faults, 0 warnings." },
] as const;
test.for(verdicts)("$says", ({ counts, verdict, says }) => {
  expect(
    renderReport({ ...report, counts, verdict }, OPTIONS)
      .trimEnd()
      .split("\n")
      .at(-1),
  ).toBe(says);
});
