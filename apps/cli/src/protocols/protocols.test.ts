import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS, openPhases } from "@agent-checkpoint/phases";
import { MODES, validateHandoffRequest, validateHandoffResponse } from "@agent-checkpoint/phases";
import { describe, expect, onTestFinished, test } from "vitest";
import { headedLines } from "./managed-block.ts";
import { PROJECT_FILES } from "./init-project-files.ts";
import { CHECKPOINT_SCHEMA, HANDOFF } from "./texts.ts";

const doc = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

describe("the program's texts are the documents", () => {
  test("word for word (else run apps/cli/scripts/write-texts.ts)", () => {
    expect({ schema: CHECKPOINT_SCHEMA, handoff: HANDOFF }).toEqual({
      schema: doc("checkpoint-schema.md"),
      handoff: doc("handoff.md"),
    });
  });

  test("the table of the commands is that of the code", () => {
    const rows = COMMANDS.map(({ name, phases, hasGate }) => [
      `\`${name}\``,
      phases.map((phase) => `\`${phase}\``).join(", "),
      hasGate ? "yes" : "no",
    ]);
    const table = CHECKPOINT_SCHEMA.split("\n").filter((line) => /^\| `(?:[a-z]+)` \| `/.test(line));
    const cells = table.map((line) => line.split("|").map((cell) => cell.trim()));
    expect(cells.map(([, name, phases, , gate]) => [name, phases, gate])).toEqual(rows);
  });

  test("the example is a checkpoint", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-example-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [example = ""] = CHECKPOINT_SCHEMA.match(/(?<=```json\n)[\s\S]*?(?=```)/) ?? [];
    mkdirSync(join(root, ".claude/state"), { recursive: true });
    writeFileSync(join(root, ".claude/state/implement-sign-out.json"), example);
    const lines: string[] = [];
    const phases = openPhases({ root, logError: (line) => lines.push(line) });
    expect(phases.loadCheckpoint("implement", "sign-out")).toEqual(JSON.parse(example));
    expect(phases.getResumePoint("implement", "sign-out").phase).toBe("build");
    expect(phases.getLastError()).toBeNull();
  });

  test("the handoff's examples are valid, and its modes are all of them", () => {
    const [request, response] = [...HANDOFF.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) =>
      JSON.parse(text ?? ""),
    );
    expect(validateHandoffRequest(request)).toMatchObject({ valid: true, warnings: [] });
    expect(validateHandoffResponse(response, request)).toMatchObject({ valid: true, warnings: [] });
    const section = HANDOFF.split("\n## Mode\n")[1]?.split("\n## ")[0] ?? "";
    expect([...section.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, mode]) => mode)).toEqual([...MODES]);
  });
});

const [schema, handoff, integrations] = PROJECT_FILES;
const anchors = (text: string) => headedLines(text).flatMap(({ heading }) => heading?.anchor ?? []);

describe("a document of the protocols", () => {
  test("is written whole where there is none, and not again", () => {
    for (const [file, text] of [
      [schema, CHECKPOINT_SCHEMA],
      [handoff, HANDOFF],
    ] as const) {
      const { after } = file?.plan(null) ?? { after: null };
      expect(after).toContain(text.trim());
      expect(file?.plan(after)).toEqual({ after: null, problem: null });
    }
  });

  const THEIRS =
    "# Handoff\n\n## Request Schema\n\nOurs: `previous_findings`.\n\n## Context Summary Guidelines\n\nBe brief.\n";
  const documents = [
    { name: "as it is", text: THEIRS },
    { name: "without an end of its last line", text: THEIRS.trimEnd() },
    { name: "with CRLF", text: THEIRS.replaceAll("\n", "\r\n") },
    { name: "with a byte order mark", text: `\uFEFF${THEIRS}` },
    { name: "with our marks in code", text: `${THEIRS}\n\`\`\`\n<!-- agent-checkpoint:handoff begin -->\n\`\`\`\n` },
  ];
  test.for(documents)("keeps what others wrote, $name, and gets what is missing once", ({ text }) => {
    const { after } = handoff?.plan(text) ?? {};
    const extended = text.replace("previous_findings", "previous_summary");
    expect(after?.startsWith(extended)).toBe(true);
    expect(handoff?.plan(after ?? "")).toEqual({ after: null, problem: null });
    const added = (after ?? "").slice(extended.length);
    expect(anchors(added)).toEqual(["response-schema", "mode", "previous-summary", "enforcement"]);
    expect(anchors(after ?? "").indexOf("context-summary-guidelines")).toBe(2);
    expect(/[^\r]\n/.test(after ?? "")).toBe(!text.includes("\r\n"));
  });

  test("has its own request schema extended, and nothing else of it changed", () => {
    const theirs = (mode: { json: string; row: string }, summary: string) =>
      [
        "# Handoff",
        "",
        "`previous_findings` in the preface.",
        "",
        "## Request Schema",
        "",
        "```json",
        "{",
        '  "task_id": "1",',
        '  "phase": "build",',
        ...(mode.json === "" ? [] : [mode.json]),
        `  "context": { "${summary}": "..." }`,
        "}",
        "```",
        "",
        "| Field | Required | Description |",
        "| --- | --- | --- |",
        "| `phase` | yes | where we are |",
        ...(mode.row === "" ? [] : [mode.row]),
        `| \`context.${summary}\` | no | what was found |`,
        "",
        "## Response Schema",
        "",
        '```json\n{ "phase": "build" }\n```',
        "",
        "| `phase` | yes | `previous_findings` |",
        "",
      ].join("\n");
    const mode = { json: '  "mode": "code",', row: "| `mode` | yes | the kind of work, see Mode |" };
    const { after } = handoff?.plan(theirs({ json: "", row: "" }, "previous_findings")) ?? {};
    expect(after?.startsWith(theirs(mode, "previous_summary"))).toBe(true);
    expect(handoff?.plan(after ?? "")).toEqual({ after: null, problem: null });
  });

  test("that has our part already gets the new one in its place", () => {
    const { after } = handoff?.plan("# Mine\n") ?? {};
    const old = (after ?? "").replace("Every request has a `mode`", "Old words") + "\nMy end.\n";
    expect(handoff?.plan(old)).toEqual({ after: `${after}\nMy end.\n`, problem: null });
  });

  test("that has a section of our name keeps it, and ours gets another", () => {
    const { after } = handoff?.plan("# Mine\n\n## Enforcement\n\nNone.\n") ?? {};
    expect(anchors(after ?? "").filter((anchor) => anchor.startsWith("enforcement"))).toEqual([
      "enforcement",
      "enforcement-agent-checkpoint",
    ]);
    expect(handoff?.plan(after ?? "")).toEqual({ after: null, problem: null });
  });

  const begin = "<!-- agent-checkpoint:handoff begin -->";
  const end = "<!-- agent-checkpoint:handoff end -->";
  const broken = [`${begin}\n`, `${end}\n`, `${end}\n${begin}\n`, `${begin}\n${end}\n${begin}\n${end}\n`];
  test.for(broken)("with marks that make no pair is left as it is: case %#", (text) => {
    expect(handoff?.plan(text)).toEqual({ after: null, problem: expect.stringContaining("do not make one pair") });
  });
});

describe("the integrations config", () => {
  test("has the design's defaults, with two spaces", () => {
    expect(integrations?.plan(null).after).toBe(`{
  "linear": {
    "enabled": true,
    "team": "Basecamp",
    "branch_prefix": "feature",
    "use_native_automation": true
  },
  "vercel": {
    "enabled": true,
    "wait_for_preview": true,
    "preview_timeout_ms": 300000,
    "require_preview_success": false
  }
}
`);
  });

  test("that is there is kept, and looked at", () => {
    expect(integrations?.plan("{}")).toEqual({ after: null, problem: null });
    expect(integrations?.plan(`{"linear_client":1}`)).toMatchObject({
      after: null,
      problem: expect.stringContaining("linear_client"),
    });
  });
});
