import { PRESETS } from "@agent-checkpoint/categories";
import { runHeuristics } from "@agent-checkpoint/heuristics";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildCheckpointMessage } from "../get-checkpoint-content.ts";
import { decideDelivery } from "../assemble-checkpoint.ts";
import { GENERIC_MESSAGE, isOwnMessage, MESSAGE_PREFIX } from "./texts.ts";

const NO_TRANSCRIPT: TurnTimeline = { hasData: false, toolCalls: [], reason: "missing" };
const context = { projectPath: "/home/dev/project", workingSlug: null, agentName: "claude" } as const;

describe("our own words are recognised", () => {
  const texts = [
    { text: GENERIC_MESSAGE, is: true },
    { text: buildCheckpointMessage(["a.py"], NO_TRANSCRIPT, context), is: true },
    { text: `\n${MESSAGE_PREFIX}x`, is: true },
    { text: "Please fix agent-checkpoint: it is broken", is: false },
    { text: "", is: false },
  ];
  test.for(texts)("$text: $is", ({ text, is }) => {
    expect(isOwnMessage(text)).toBe(is);
  });
});

describe("no file name can write a line of the checklist", () => {
  /** The skeleton of a message: every line with its data taken out. */
  const skeleton = (files: readonly string[]) =>
    buildCheckpointMessage(files, NO_TRANSCRIPT, context)
      .split("\n")
      .map((line) => line.replaceAll(/`[^`]*`/g, "`…`"));

  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\n", "\r", "\u2028", "`", "<", "/", ">", "1", ".", " ", "-", "\u001B"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 40,
  });
  test("whatever it holds, the lines are those of a plain name", () => {
    fc.assert(
      fc.property(hostile, (name) => {
        // Git knows no empty, `.` or `..` part of a path.
        const parts = name
          .replaceAll("\0", "0")
          .split("/")
          .map((part) => `${part}x`);
        const file = `teleclaude/hooks/${parts.join("/")}`;
        expect(skeleton([file])).toEqual(skeleton(["teleclaude/hooks/x"]));
      }),
    );
  });

  test("a message has a bounded length, however many and long the names are", () => {
    const files = Array.from({ length: 5000 }, (_, index) => `${"long/".repeat(200)}${index}.py`);
    expect(buildCheckpointMessage(files, NO_TRANSCRIPT, context).length).toBeLessThan(4000);
  });
});

test("an observation is one sentence on one line", () => {
  const { observations } = runHeuristics(
    ["teleclaude/a.py", "b/c", "d/e", "f/g"],
    { hasData: true, toolCalls: [], prompt: { timestamp: null }, isWhole: true },
    context,
  );
  expect(observations.length).toBeGreaterThan(2);
  for (const text of observations) expect(text).toMatch(/^[^\n]*[^.]\.$/);
});

describe("what is delivered", () => {
  const judged = (files: readonly string[]) =>
    runHeuristics(files, NO_TRANSCRIPT, { ...context, rules: PRESETS.generic });
  const failing = {
    ...judged(["package.json"]),
    isAllClear: false,
    findings: [{ check: "failed-command", text: "x.", calls: [], isFailure: true } as const],
  };
  const hygiene = {
    ...failing,
    findings: [{ check: "edit-without-read", text: "x.", calls: [], isFailure: false } as const],
  };
  const cases = [
    { title: "a missing action", result: judged(["src/a.ts"]), teleclaude: true, generic: true },
    { title: "an unresolved failure", result: failing, teleclaude: true, generic: true },
    { title: "hygiene alone", result: hygiene, teleclaude: true, generic: false },
    { title: "all clear", result: judged(["package.json"]), teleclaude: true, generic: false },
    { title: "no code changed", result: judged(["README.md"]), teleclaude: true, generic: false },
  ];
  test.for(cases)("$title: teleclaude $teleclaude, generic $generic", ({ result, teleclaude, generic }) => {
    const delivered = [PRESETS.teleclaude, PRESETS.generic].map((rules) => decideDelivery(result, rules).deliver);
    expect(delivered).toEqual([teleclaude, generic]);
  });
});
