import { describe, expect, test } from "vitest";
import { treeOf } from "../testing/stack-cases.ts";
import { justTasks } from "./just-tasks.ts";
import { makeTasks } from "./make-tasks.ts";
import { packageTasks } from "./package-tasks.ts";
import { isTestTask, type Task, tasksFor, tasksThatRun } from "./task.ts";
import { taskfileTasks } from "./taskfile-tasks.ts";

const briefly = (tasks: readonly Task[]) => Object.fromEntries(tasks.map(({ run, body }) => [run, body]));

test("the targets of a Makefile, with what they run", () => {
  const text = [
    "SHELL := /bin/bash",
    ".PHONY: test",
    "FLAGS ?= -v",
    "define HELP",
    "test unit: build | folder ## Run them",
    "\t@go test \\",
    "\t\t./...",
    "\t-rm -f x",
    "",
    "%.o: %.c",
    "\tcc $<",
    "url = https://example.com:80",
    "docs::",
    "\t+make -C docs",
  ].join("\n");
  expect(briefly(makeTasks(treeOf({ Makefile: text })))).toEqual({
    "make test": "go test  \t\t./... && rm -f x",
    "make unit": "go test  \t\t./... && rm -f x",
    "make docs": "make -C docs",
  });
});

test("the recipes of a justfile", () => {
  const text = [
    "set shell := ['bash', '-c']",
    "version := '1'",
    "alias t := test",
    "# all of them",
    "test *args: build",
    "  @pytest {{args}}",
    "_hidden:",
    "\techo x",
    "@quiet name='x':",
    "  echo {{name}}",
  ].join("\n");
  expect(briefly(justTasks(treeOf({ justfile: text })))).toEqual({
    "just test": "pytest {{args}}",
    "just _hidden": "echo x",
    "just quiet": "echo {{name}}",
  });
});

test("the tasks of a Taskfile, in all of their shapes", () => {
  const text = `
version: "3"
tasks:
  short: go build
  list: [go vet, go test ./...]
  long:
    desc: x
    cmds: ["go generate", { cmd: "go test" }, { task: other }]
  only: { cmd: gotestsum }
`;
  expect(briefly(taskfileTasks(treeOf({ "Taskfile.yml": text })))).toEqual({
    "task short": "go build",
    "task list": "go vet && go test ./...",
    "task long": "go generate && go test",
    "task only": "gotestsum",
  });
});

test("the scripts that a person would call", () => {
  const scripts = {
    test: "vitest",
    pretest: "x",
    postinstall: "x",
    prepare: "husky",
    "prisma:generate": "prisma generate",
    preview: "vite preview",
    "has space": "x",
  };
  const tree = treeOf({ "package.json": JSON.stringify({ scripts }) });
  expect(packageTasks(tree, "pnpm").map(({ run, evidence }) => [run, ...evidence])).toEqual([
    ["pnpm test", "pnpm test", "pnpm run test", "npm test", "npm run test"],
    ["pnpm run prisma:generate", "pnpm prisma:generate", "pnpm run prisma:generate", "npm run prisma:generate"],
    ["pnpm run preview", "pnpm preview", "pnpm run preview", "npm run preview"],
  ]);
});

describe("which names are those of tests", () => {
  const names = [
    { name: "test", is: true },
    { name: "tests", is: true },
    { name: "test:unit", is: true },
    { name: "test-short", is: true },
    { name: "unit", is: true },
    { name: "test:watch", is: false },
    { name: "test:update", is: false },
    { name: "test:types", is: false },
    { name: "test:lint:js", is: false },
    { name: "test-codegen", is: false },
    { name: "latest", is: false },
    { name: "testbed", is: false },
    { name: "pretest", is: false },
  ];
  test.for(names)("$name: $is", ({ name, is }) => {
    expect(isTestTask({ name, run: "", evidence: [], body: "", where: "" })).toBe(is);
  });
});

describe("which tasks run a tool", () => {
  const bodies = [
    { body: "prisma generate", runs: true, isAll: true },
    { body: "yarn prisma generate --watch", runs: true, isAll: true },
    { body: "npx prisma generate", runs: true, isAll: true },
    { body: "prisma generate && next build", runs: true, isAll: false },
    { body: "prisma generate; next build", runs: false, isAll: false },
    { body: "prisma generate || true", runs: false, isAll: false },
    { body: "echo prisma generate", runs: false, isAll: false },
    { body: "prisma migrate dev", runs: false, isAll: false },
  ];
  test.for(bodies)("$body", ({ body, runs, isAll }) => {
    const tasks = [{ name: "x", run: "x", evidence: [], body, where: "" }];
    expect([tasksThatRun(tasks, "prisma generate").length > 0, tasksFor(tasks, "prisma generate").length > 0]).toEqual([
      runs,
      isAll,
    ]);
  });
});
