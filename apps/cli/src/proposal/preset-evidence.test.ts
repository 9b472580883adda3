import { type PresetName, PRESETS } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import { isEvidence } from "./testing/is-evidence.ts";

const rows: readonly {
  readonly preset: PresetName;
  readonly action: "tests" | "install";
  readonly counts: readonly string[];
  readonly doesNot: readonly string[];
}[] = [
  {
    preset: "node",
    action: "tests",
    counts: [
      "npm test",
      "npm t",
      "yarn jest src",
      "pnpm vitest run",
      "pnpm -r test",
      "node --test",
      "npx nx affected -t test",
      "make test",
    ],
    doesNot: ["node server.js", "npm run build", "tsc --noEmit", "playwright install", "npx eslint ."],
  },
  {
    preset: "node",
    action: "install",
    counts: ["npm ci", "pnpm add zod", "yarn install", "bun install"],
    doesNot: ["npm ls", "yarn test", "pnpm why zod"],
  },
  {
    preset: "python",
    action: "tests",
    counts: ["pytest -q", "python -m unittest", "uv run pytest", "tox -e py312", "hatch test", "python manage.py test"],
    doesNot: ["python app.py", "ruff check", "mypy .", "pytest --version"],
  },
  {
    preset: "python",
    action: "install",
    counts: ["pip install -r requirements.txt", "uv sync", "poetry add httpx", "python -m pip install -e ."],
    doesNot: ["pip list", "uv tree", "poetry show"],
  },
  {
    preset: "rust",
    action: "tests",
    counts: ["cargo test", "cargo test -p a", "cargo nextest run", "cargo +nightly test"],
    doesNot: ["cargo build", "cargo test --no-run", "cargo nextest list"],
  },
  { preset: "rust", action: "install", counts: ["cargo check", "cargo build", "cargo test"], doesNot: ["cargo fmt"] },
  { preset: "go", action: "tests", counts: ["go test ./...", "gotestsum"], doesNot: ["go vet ./...", "go build"] },
  { preset: "go", action: "install", counts: ["go mod tidy", "go build ./...", "go get x"], doesNot: ["go fmt ./..."] },
  {
    preset: "ruby",
    action: "tests",
    counts: ["bundle exec rspec", "bin/rails test", "rake test", "ruby -Itest test/a_test.rb"],
    doesNot: ["ruby app.rb", "rubocop", "bin/rails console"],
  },
  { preset: "ruby", action: "install", counts: ["bundle install", "bundle add rack"], doesNot: ["bundle exec rspec"] },
  {
    preset: "java",
    action: "tests",
    counts: ["./mvnw test", "mvn clean verify", "./gradlew test", "gradle check"],
    doesNot: ["mvn compile", "mvn install -DskipTests", "./gradlew assemble"],
  },
  { preset: "java", action: "install", counts: ["mvn compile", "./gradlew build"], doesNot: ["mvn clean"] },
];

test.for(rows)("$preset, $action", ({ preset, action, counts, doesNot }) => {
  const lines = [...counts, ...doesNot];
  expect(lines.filter((line) => isEvidence(PRESETS[preset], action, line))).toEqual(counts);
});
