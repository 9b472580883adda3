import { expect, test } from "vitest";
import { parseCommandLine } from "../shell/parse-command-line.ts";
import { matchesEvidence } from "./matches-evidence.ts";

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
];
test.for(cases)("$line for $evidence: $is", ({ line, evidence, is }) => {
  expect(matchesEvidence(parseCommandLine(line)[0]?.argv ?? [], evidence)).toBe(is);
});
