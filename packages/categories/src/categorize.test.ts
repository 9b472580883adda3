import { describe, expect, test } from "vitest";
import { categorize } from "./categorize.ts";
import { PRESETS } from "./presets/presets.ts";

/** What a set of changed files comes to, in one comparable value. */
function sort(preset: "teleclaude" | "generic", files: readonly string[]) {
  const { matches, withoutRule, documents, tested, isTestsOnly } = categorize(files, PRESETS[preset]);
  return {
    categories: matches.map(({ category }) => category.id),
    actions: [...new Set(matches.map(({ category }) => category.action).filter((id) => id !== null))],
    withoutRule,
    documents,
    tested: [...tested],
    isTestsOnly,
  };
}

const nothing = { categories: [], actions: [], withoutRule: [], documents: [], tested: [], isTestsOnly: false };

describe("the teleclaude table", () => {
  const rows: { file: string; is: Partial<ReturnType<typeof sort>> }[] = [
    {
      file: "teleclaude/project_setup/hooks.py",
      is: {
        categories: ["telec-setup", "daemon-code"],
        actions: ["telec-init", "restart-daemon"],
        tested: ["teleclaude/project_setup/hooks.py"],
      },
    },
    { file: "teleclaude/project_setup/plist.xml", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    {
      file: "templates/ai.instrukt.teleclaude.docs-watch.plist",
      is: { categories: ["telec-setup"], actions: ["telec-init"] },
    },
    { file: "templates/teleclaude-docs-watch.service", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    { file: "templates/teleclaude-docs-watch.path", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    { file: ".pre-commit-config.yaml", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    { file: ".gitattributes", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    { file: ".husky/pre-commit", is: { categories: ["telec-setup"], actions: ["telec-init"] } },
    { file: "pyproject.toml", is: { categories: ["dependencies"], actions: ["install-dependencies"] } },
    { file: "requirements.txt", is: { categories: ["dependencies"], actions: ["install-dependencies"] } },
    { file: "requirements-dev.txt", is: { categories: ["dependencies"], actions: ["install-dependencies"] } },
    {
      file: "teleclaude/daemon.py",
      is: { categories: ["daemon-code"], actions: ["restart-daemon"], tested: ["teleclaude/daemon.py"] },
    },
    {
      file: "teleclaude/core/foo.py",
      is: { categories: ["daemon-code"], actions: ["restart-daemon"], tested: ["teleclaude/core/foo.py"] },
    },
    { file: "config.yml", is: { categories: ["config"], actions: ["restart-daemon"] } },
    {
      file: "teleclaude/cli/tui/app.py",
      is: { categories: ["tui-code"], actions: ["reload-tui"], tested: ["teleclaude/cli/tui/app.py"] },
    },
    { file: "agents/skills/foo/SKILL.md", is: { categories: ["agent-artifacts"], actions: ["restart-agents"] } },
    { file: ".agents/commands/x.md", is: { categories: ["agent-artifacts"], actions: ["restart-agents"] } },
    { file: "AGENTS.master.md", is: { categories: ["agent-artifacts"], actions: ["restart-agents"] } },
    { file: "deep/down/AGENTS.master.md", is: { categories: ["agent-artifacts"], actions: ["restart-agents"] } },
    {
      file: "teleclaude/hooks/receiver.py",
      is: { categories: ["hook-runtime"], tested: ["teleclaude/hooks/receiver.py"] },
    },
    {
      file: "tests/unit/test_a.py",
      is: { categories: ["tests-only"], tested: ["tests/unit/test_a.py"], isTestsOnly: true },
    },
    { file: "tests/test_a.py", is: { categories: ["tests-only"], tested: ["tests/test_a.py"], isTestsOnly: true } },
    { file: "scripts/build.sh", is: { withoutRule: ["scripts/build.sh"], tested: ["scripts/build.sh"] } },
    { file: "sub/config.yml", is: { withoutRule: ["sub/config.yml"], tested: ["sub/config.yml"] } },
    { file: "sub/pyproject.toml", is: { withoutRule: ["sub/pyproject.toml"], tested: ["sub/pyproject.toml"] } },
    { file: "docs/a.md", is: { documents: ["docs/a.md"] } },
    { file: "docs/diagram.svg", is: { documents: ["docs/diagram.svg"] } },
    { file: "todos/x/plan.txt", is: { documents: ["todos/x/plan.txt"] } },
    { file: "ideas/x", is: { documents: ["ideas/x"] } },
    { file: "README.md", is: { documents: ["README.md"] } },
    { file: "teleclaude/README.md", is: { documents: ["teleclaude/README.md"] } },
    {
      file: "teleclaude/core/odd\nname.py",
      is: { categories: ["daemon-code"], actions: ["restart-daemon"], tested: ["teleclaude/core/odd\nname.py"] },
    },
  ];
  test.for(rows)("$file", ({ file, is }) => {
    expect(sort("teleclaude", [file])).toEqual({ ...nothing, ...is });
  });

  test("an action asked for by several rows appears once", () => {
    expect(sort("teleclaude", ["teleclaude/daemon.py", "config.yml"]).actions).toEqual(["restart-daemon"]);
  });

  test("nothing changed is no category at all", () => {
    expect(sort("teleclaude", [])).toEqual(nothing);
  });

  const withTests = [
    { beside: "a source file", files: ["teleclaude/daemon.py", "tests/test_a.py"], isTestsOnly: false },
    { beside: "a file without a rule", files: ["Makefile", "tests/test_a.py"], isTestsOnly: false },
    { beside: "a document", files: ["docs/a.md", "tests/test_a.py"], isTestsOnly: true },
    { beside: "config that asks for no tests", files: ["config.yml", "tests/test_a.py"], isTestsOnly: true },
  ];
  test.for(withTests)("tests beside $beside: only tests is $isTestsOnly", ({ files, isTestsOnly }) => {
    expect(sort("teleclaude", files).isTestsOnly).toBe(isTestsOnly);
  });
});

describe("the generic table", () => {
  const rows: { file: string; is: Partial<ReturnType<typeof sort>> }[] = [
    { file: "src/a.ts", is: { categories: ["source-code"], tested: ["src/a.ts"] } },
    { file: "src/a.test.ts", is: { categories: ["tests-only"], tested: ["src/a.test.ts"], isTestsOnly: true } },
    { file: "pkg/a_test.go", is: { categories: ["tests-only"], tested: ["pkg/a_test.go"], isTestsOnly: true } },
    { file: "package.json", is: { categories: ["manifests"] } },
    { file: "requirements.txt", is: { categories: ["manifests"] } },
    { file: ".github/workflows/ci.yml", is: { categories: ["configuration"] } },
    { file: "tsconfig.json", is: { categories: ["configuration"] } },
    { file: "notes.txt", is: { documents: ["notes.txt"] } },
    { file: "LICENSE", is: { documents: ["LICENSE"] } },
    { file: ".gitignore", is: { documents: [".gitignore"] } },
    { file: "bin/start", is: { withoutRule: ["bin/start"], tested: ["bin/start"] } },
  ];
  test.for(rows)("$file", ({ file, is }) => {
    expect(sort("generic", [file])).toEqual({ ...nothing, ...is });
  });
});

test("a hundred thousand files and ten thousand globs are sorted in good time: the first files stand for all", () => {
  const files = Array.from({ length: 100_000 }, (_, index) => `src/folder-${index % 100}/file-${index}.ts`);
  const include = Array.from({ length: 10_000 }, (_, index) => `src/*/*-${index}.py`);
  const category = { id: "many", label: "many", include: [...include, "**/*.ts"], action: null, tests: true };
  const { matches } = categorize(files, { categories: [category], docs: [] });
  expect(matches.map((match) => match.files.length)).toEqual([1000]);
});
