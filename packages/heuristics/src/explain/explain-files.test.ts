import { PRESETS, type Rules } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import { NO_TRANSCRIPT, PROJECT } from "../test-calls.ts";
import { weighTurn } from "../weigh-turn.ts";
import { explainFiles } from "./explain-turn.ts";
import type { FileExplanation } from "./explanation.ts";

const DAEMON = "teleclaude/core/foo.py";

const explain = (files: readonly string[], rules: Rules = PRESETS.teleclaude) =>
  explainFiles(
    weighTurn(files, NO_TRANSCRIPT, { projectPath: PROJECT, workingSlug: null, agentName: "claude", rules }),
  );

const rows: { file: string; rules?: Rules; is: FileExplanation }[] = [
  {
    file: DAEMON,
    is: {
      file: DAEMON,
      status: "covered",
      matches: [
        {
          category: "daemon-code",
          label: "daemon code",
          pattern: "teleclaude/**/*.py",
          action: "restart-daemon",
          asksForTests: true,
        },
      ],
    },
  },
  {
    file: "teleclaude/project_setup/hooks.py",
    is: {
      file: "teleclaude/project_setup/hooks.py",
      status: "covered",
      matches: [
        {
          category: "telec-setup",
          label: "telec setup",
          pattern: "teleclaude/project_setup/**",
          action: "telec-init",
          asksForTests: true,
        },
        {
          category: "daemon-code",
          label: "daemon code",
          pattern: "teleclaude/**/*.py",
          action: "restart-daemon",
          asksForTests: true,
        },
      ],
    },
  },
  {
    file: ".gitattributes",
    is: {
      file: ".gitattributes",
      status: "covered",
      matches: [
        {
          category: "telec-setup",
          label: "telec setup",
          pattern: ".gitattributes",
          action: "telec-init",
          asksForTests: false,
        },
      ],
    },
  },
  {
    file: "src/a.spec.ts",
    rules: PRESETS.generic,
    is: {
      file: "src/a.spec.ts",
      status: "covered",
      matches: [{ category: "tests-only", label: "tests", pattern: "**/*.spec.ts", action: null, asksForTests: true }],
    },
  },
  { file: "docs/a.md", is: { file: "docs/a.md", status: "document", pattern: "docs/**" } },
  { file: "NOTES.md", is: { file: "NOTES.md", status: "document", pattern: "**/*.md" } },
  { file: "Makefile", is: { file: "Makefile", status: "without-rule" } },
];
test.for(rows)("$file", ({ file, rules, is }) => {
  expect(explain([file], rules)).toEqual([is]);
});

test("the files stand in the order they are given", () => {
  const files = ["Makefile", DAEMON, "docs/a.md", "config.yml"];
  expect(explain(files).map(({ file }) => file)).toEqual(files);
});

test("each file has the rows that cover it, and no others", () => {
  const categories = explain(["config.yml", "docs/a.md", DAEMON]).map((one) =>
    one.status === "covered" ? one.matches.map(({ category }) => category) : [],
  );
  expect(categories).toEqual([["config"], [], ["daemon-code"]]);
});
