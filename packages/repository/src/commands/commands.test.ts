import { expect, test } from "vitest";
import { factsOf } from "../testing/facts-of.ts";
import { recognise } from "./programs.ts";
import { shellLines } from "./shell-lines.ts";

const lines = [
  { text: "npm ci && npm test", are: ["npm ci", "npm test"] },
  { text: "CI=1 FOO='a b' npx --yes vitest run", are: ["vitest run"] },
  { text: "uv run --locked --group dev tox run", are: ["tox run"] },
  { text: "cd build ; ctest -j 10", are: ["cd build", "ctest -j 10"] },
  { text: "pytest \\\n  -q # all of them\necho done", are: ["pytest -q", "echo done"] },
  { text: "python -Wall tests/runtests.py", are: ["tests/runtests.py"] },
  { text: "timeout -k 30 1200 make test || { exit 1; }", are: ["make test", "{ exit 1", "}"] },
  { text: "go test $(go list ./... | grep -v gen)", are: ["go test $(go list ./... | grep -v gen)"] },
  { text: "docker compose run --rm api pytest", are: ["pytest"] },
  { text: "node --expose-gc ./node_modules/jest/bin/jest.js", are: ["./node_modules/jest/bin/jest.js"] },
  { text: "bash scripts/test.sh", are: ["scripts/test.sh"] },
  { text: "echo 'a && b; c'", are: ["echo 'a && b; c'"] },
];
test.for(lines)("the commands of: $text", ({ text, are }) => {
  expect(shellLines(text)).toEqual(are);
});

const commands = [
  { command: "vitest run", kind: "test" },
  { command: "node_modules/.bin/jest", kind: "test" },
  { command: "yarn jest src", kind: "test" },
  { command: "./node_modules/jest/bin/jest.js", kind: "test" },
  { command: "cargo +nightly test", kind: "test" },
  { command: "cargo hack test --each-feature", kind: "test" },
  { command: "./gradlew :app:testDebugUnitTest", kind: "test" },
  { command: "./gradlew build", kind: "test" },
  { command: "vendor/bin/phpunit", kind: "test" },
  { command: "cargo test --no-run", kind: undefined },
  { command: "pytest --collect-only", kind: undefined },
  { command: "playwright install", kind: undefined },
  { command: "jest-preview", kind: undefined },
  { command: "tsc --noEmit", kind: "types" },
  { command: "cargo check", kind: "types" },
  { command: "eslint .", kind: "lint" },
  { command: "eslint . --fix", kind: undefined },
  { command: "prettier --check .", kind: "format" },
  { command: "prettier --write .", kind: undefined },
  { command: "ruff format .", kind: undefined },
  { command: "ruff format --check .", kind: "format" },
  { command: "turbo run format", kind: undefined },
  { command: "turbo run format:check", kind: "format" },
  { command: "mix format", kind: undefined },
  { command: "biome format .", kind: "format" },
  { command: "prisma migrate deploy", kind: "migrate" },
  { command: "go generate ./...", kind: "generate" },
  { command: "go build ./...", kind: "build" },
];
test.for(commands)("$command: $kind", ({ command, kind }) => {
  expect(recognise(command)?.kind).toBe(kind);
});

const targets = [
  { makefile: "tests::\n\t./run\ncheck:: tests\n", target: "check", kind: "test" },
  { makefile: "check: all\n\t$(MAKE) -C src/test/regress $@\n", target: "check", kind: "test" },
  { makefile: "test: lint\n\t./run\nlint:\n\teslint .\n", target: "test", kind: "test" },
  { makefile: "test: lint\nlint:\n\teslint .\n", target: "test", kind: "lint" },
  { makefile: "check: docs\ndocs:\n\t$(MAKE) -C docs html\n", target: "check", kind: "other" },
];
test.for(targets)("make $target of $makefile: $kind", async ({ makefile, target, kind }) => {
  const { commands } = await factsOf({ Makefile: makefile });
  expect(commands.find(({ name }) => name === target)?.kind).toBe(kind);
});

test("a guide that warns of a command does not name it", async () => {
  const { guides } = await factsOf({
    "README.md":
      "You should not run `./gradlew test`, use `./gradlew testDebug`.\nNever `make test`!\n\nRun `make check`.\n",
    "a.java": "",
  });
  expect(guides.map(({ command }) => command)).toEqual(["./gradlew testDebug", "make check"]);
});
