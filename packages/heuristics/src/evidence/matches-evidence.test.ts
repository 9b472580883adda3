import { expect, test } from "vitest";
import { parseCommandLine } from "@agent-checkpoint/commands";
import { matchesEvidence } from "./find-evidence.ts";

const cases = [
  { line: "make restart", evidence: "make restart", is: true },
  { line: "make -s -C . restart", evidence: "make restart", is: true },
  { line: "make lint restart", evidence: "make restart", is: true },
  { line: "make restart-docs", evidence: "make restart", is: false },
  { line: "make -n restart", evidence: "make restart", is: false },
  { line: "make", evidence: "make restart", is: false },
  { line: "echo make restart", evidence: "make restart", is: false },
  { line: "grep -r 'make restart' .", evidence: "make restart", is: false },
  { line: "pip install -e .", evidence: "pip install", is: true },
  { line: "pip --quiet install -e .", evidence: "pip install", is: true },
  { line: "pip uninstall x", evidence: "pip install", is: false },
  { line: "pip list install", evidence: "pip install", is: false },
  { line: "uv sync", evidence: "uv sync", is: true },
  { line: "uv pip install -e .", evidence: "uv pip install", is: true },
  { line: "pkill -SIGUSR2 -f -- '-m teleclaude.cli.telec$'", evidence: "pkill -SIGUSR2", is: true },
  { line: "pkill -USR2 -f telec", evidence: "pkill -SIGUSR2", is: true },
  { line: "kill -USR2 123", evidence: "kill -USR2", is: true },
  { line: "kill -9 123", evidence: "kill -USR2", is: false },
  { line: "pytest", evidence: "pytest", is: true },
  { line: "pytest -q tests/a.py", evidence: "pytest", is: true },
  { line: "pytest --collect-only", evidence: "pytest", is: false },
  { line: "pytest --version", evidence: "pytest", is: false },
  { line: "which pytest", evidence: "pytest", is: false },
  { line: "npm --prefix web test", evidence: "npm test", is: true },
  { line: "npm run test", evidence: "npm test", is: false },
  { line: "node --test", evidence: "node --test", is: true },
  { line: "node build.js", evidence: "node --test", is: false },
  { line: "uv run pytest -q", evidence: "uv run pytest", is: true },
  { line: "pytest -q", evidence: "uv run pytest", is: true },
  { line: "pnpm --filter web exec jest", evidence: "pnpm exec jest", is: true },
  { line: "npx vitest run", evidence: "npx vitest", is: true },
  { line: "./gradlew test -x lint", evidence: "./gradlew test", is: true },
  { line: "./gradlew build -x test", evidence: "gradlew test", is: false },
  { line: "gradle build --exclude-task test", evidence: "gradle test", is: false },
  { line: "gradle build -x test", evidence: "gradle test", is: false },
  { line: "gradlew build --exclude-task test", evidence: "gradlew test", is: false },
  { line: "make lint", evidence: " make  lint ", is: true },
  { line: "kill -SIG 123", evidence: "kill -SIG", is: true },
  { line: "kill -USR2 -SIGTERM 123", evidence: "kill -TERM", is: true },
  { line: "tool --no-SIGTERM", evidence: "tool --no-TERM", is: false },
  { line: "tool - a", evidence: "tool a", is: false },
];
test.for(cases)("$line for $evidence: $is", ({ line, evidence, is }) => {
  expect(matchesEvidence(parseCommandLine(line)[0]?.argv ?? [], evidence)).toBe(is);
});

const values = [
  { line: "make -C api -f x.mk -I inc -o old -W new restart", evidence: "make restart" },
  { line: "make --directory api --file x.mk --makefile y.mk restart", evidence: "make restart" },
  { line: "npm --prefix web -C web -w web --workspace web test", evidence: "npm test" },
  { line: "pnpm -C web --dir web -F web --filter web test", evidence: "pnpm test" },
  { line: "yarn --cwd web test", evidence: "yarn test" },
  { line: "bun --cwd web --filter web test", evidence: "bun test" },
  { line: "cargo --manifest-path a/Cargo.toml -C a --color never --config x test", evidence: "cargo test" },
  { line: "go -C api test ./...", evidence: "go test" },
  { line: "git -C sub -c a=b --git-dir x --work-tree y push", evidence: "git push" },
  { line: "docker -H host --context prod -c prod build", evidence: "docker build" },
  { line: "poetry -C api --directory api -P api --project api install", evidence: "poetry install" },
  { line: "uv --directory api --project api -p 3.12 --python 3.12 sync", evidence: "uv sync" },
  { line: "mvn -f api/pom.xml -P ci -pl core test", evidence: "mvn test" },
  { line: "gradle -p api --project-dir api test", evidence: "gradle test" },
  { line: "gradlew -p api --project-dir api test", evidence: "gradlew test" },
  { line: "just -f x --justfile x -d api --working-directory api test", evidence: "just test" },
  { line: "task -d api -t x.yml test", evidence: "task test" },
  { line: "turbo --filter web -F web test", evidence: "turbo test" },
];
test.for(values)("the values of options are no targets: $line", ({ line, evidence }) => {
  const argv = parseCommandLine(line)[0]?.argv ?? [];
  const [program] = evidence.split(" ");
  const given = argv.slice(1).filter((word, index) => !word.startsWith("-") && argv[index]?.startsWith("-"));
  expect(matchesEvidence(argv, evidence)).toBe(true);
  expect(given.filter((value) => matchesEvidence(argv, `${program} ${value}`))).toEqual([]);
});

const targetRunners = [
  "make",
  "gmake",
  "just",
  "task",
  "mvn",
  "mvnw",
  "gradle",
  "gradlew",
  "sbt",
  "rake",
  "ninja",
  "turbo",
  "invoke",
  "nox",
];
test.for(targetRunners)("%s runs all of its words, whatever their order", (program) => {
  expect(matchesEvidence([program, "lint", "test"], `${program} test`)).toBe(true);
  expect(matchesEvidence([program, "lint", "check"], `${program} test`)).toBe(false);
});

const tellings = [
  "pytest --help",
  "pytest --dry-run",
  "pytest --co",
  "jest --listTests",
  "cargo --no-run",
  "pytest --setup-plan",
  "pytest --fixtures",
  "make -q",
  "make -p",
  "make --just-print",
  "make --recon",
  "make --question",
  "pytest -h",
  "pytest -V",
  "just -l",
  "just --list",
  "just -n",
  "pip -h",
];
test.for(tellings)("%s only tells", (line) => {
  const [program = "", option = ""] = line.split(" ");
  expect(matchesEvidence([program, "all"], program)).toBe(true);
  expect(matchesEvidence([program, option, "all"], program)).toBe(false);
});

test("what only tells under one program is an option of another", () => {
  expect(
    ["make -V", "pytest -n", "go -l"].map((line) => matchesEvidence(line.split(" "), line.split(" ")[0] ?? "")),
  ).toEqual([true, true, true]);
});
