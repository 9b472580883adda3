import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, parseConfig, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { afterAll, describe, expect, test } from "vitest";
import type { ConfigProposal } from "./propose-config.ts";
import { isEvidence } from "./testing/is-evidence.ts";
import { loadCase, loadCases, proposalIn, proposalPath } from "./testing/stack-cases.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-stack-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const CASES = loadCases();

function proposalOf(name: string): Promise<ConfigProposal> {
  return proposalIn(mkdtempSync(join(scratch, "case-")), loadCase(name).files);
}

function configOf({ text }: ConfigProposal): Config {
  const parsed = parseConfig(text, "proposal");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

/** The rules that a repository has once its proposal is in place. */
function rulesOf(proposal: ConfigProposal): Rules {
  const resolved = resolveRules("generic", [{ file: "proposal", config: configOf(proposal) }]);
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.problems));
  return resolved.rules;
}

describe("every case", () => {
  test.for(CASES)("$name: $title", async ({ name, title }) => {
    const { text, found, checks, notes } = await proposalOf(name);
    const rows = [...found, ...checks.map(({ what, where }) => ({ what: `${what} (off)`, where }))];
    const table = [
      "| found | where |",
      "| --- | --- |",
      ...rows.map(({ what, where }) => `| \`${what}\` | ${where} |`),
    ];
    const said = [title, table.join("\n"), ...notes, `\`\`\`jsonc\n${text}\`\`\``].join("\n\n");
    await expect(`${said}\n`).toMatchFileSnapshot(proposalPath(name));
  });

  test.for(CASES)("$name: each command that it asks for is its own evidence", async ({ name }) => {
    const proposal = await proposalOf(name);
    const rules = rulesOf(proposal);
    const named = new Set(configOf(proposal).actions?.map(({ id }) => id));
    const runs = rules.actions.filter(({ id }) => named.has(id)).map(({ id, steps }) => ({ id, run: steps[0]?.run }));
    expect(runs.filter(({ id, run }) => !isEvidence(rules, id, run ?? ""))).toEqual([]);
  });
});

describe("the natural ways to run a command", () => {
  const ways: { name: string; action: string; counts: string[]; doesNot: string[] }[] = [
    {
      name: "npm-vitest",
      action: "tests",
      counts: [
        "npm test",
        "npm run test",
        "npm t",
        "npm test -- --reporter=dot",
        "npx vitest run src/slug.test.ts",
        "cd src && npx vitest run",
        "./node_modules/.bin/vitest run",
      ],
      doesNot: [
        "npm run build",
        "npm run test:watch",
        "npm run test:types",
        "echo npm test",
        "npm test || true",
        "npm test | tail -3",
      ],
    },
    {
      name: "npm-vitest",
      action: "install",
      counts: ["npm install", "npm i left-pad", "npm ci"],
      doesNot: ["npm test", "npm ls"],
    },
    {
      name: "pnpm-turbo-monorepo",
      action: "tests",
      counts: [
        "pnpm test",
        "pnpm -r test",
        "pnpm --filter web test",
        "pnpm --filter web run test",
        "pnpm --filter web exec jest",
        "pnpm -F @shop/money exec vitest run",
        "cd packages/money && pnpm vitest run",
        "pnpm turbo run test --filter=web",
        "npx turbo test",
        "turbo run lint test",
      ],
      doesNot: ["pnpm build", "pnpm turbo run lint", "turbo run build", "pnpm --filter web build"],
    },
    {
      name: "yarn-classic-workspaces",
      action: "tests",
      counts: [
        "yarn workspace @acme/api test",
        "yarn workspace @acme/api run test",
        "yarn --cwd packages/api test",
        "cd packages/api && yarn jest",
        "npx jest",
      ],
      doesNot: ["yarn workspace @acme/ui build", "yarn install"],
    },
    {
      name: "yarn-modern",
      action: "tests",
      counts: ["yarn test:unit", "yarn run test:e2e", "yarn vitest run", "npx playwright test"],
      doesNot: ["yarn test:update", "yarn playwright install"],
    },
    {
      name: "python-uv-alembic",
      action: "tests",
      counts: [
        "uv run pytest",
        "uv run pytest -q tests/test_app.py",
        "uv run -m pytest",
        "pytest",
        ".venv/bin/python -m pytest",
      ],
      doesNot: ["uv run pytest --collect-only", "uv run ruff check", "python tests/test_app.py"],
    },
    {
      name: "python-uv-alembic",
      action: "install",
      counts: ["uv sync", "uv add httpx", "uv run pytest"],
      doesNot: ["uv run ruff check", "uv tree"],
    },
    {
      name: "python-uv-alembic",
      action: "migrate",
      counts: ["uv run alembic upgrade head", "alembic upgrade +1"],
      doesNot: ["alembic revision --autogenerate -m x", "alembic current"],
    },
    {
      name: "python-django",
      action: "tests",
      counts: ["python manage.py test orders", "python3 manage.py test", "./manage.py test"],
      doesNot: ["python manage.py runserver", "python manage.py makemigrations"],
    },
    {
      name: "rust-crate",
      action: "tests",
      counts: ["cargo test", "cargo test -p grep-lite parser", "cargo nextest run", "cargo +nightly test"],
      doesNot: ["cargo build", "cargo test --no-run", "cargo clippy"],
    },
    {
      name: "go-makefile-goose",
      action: "tests",
      counts: ["make test", "go test ./...", "go test -run Ledger ./internal/...", "gotestsum ./..."],
      doesNot: ["go build ./...", "go vet ./...", "make -n test", "make lint"],
    },
    {
      name: "go-makefile-goose",
      action: "migrate",
      counts: ["make migrate-up", "goose up", "goose -dir db/migrations up"],
      doesNot: ["goose status", "goose create x sql", "make test"],
    },
    {
      name: "ruby-rails-rspec",
      action: "tests",
      counts: ["bundle exec rspec", "bin/rspec spec/models", "bundle exec rake spec"],
      doesNot: ["bundle exec rubocop", "bin/rails db:migrate"],
    },
    {
      name: "ruby-rails-minitest",
      action: "migrate",
      counts: ["bin/rails db:migrate", "RAILS_ENV=test bundle exec rails db:migrate", "bundle exec rake db:migrate"],
      doesNot: ["bin/rails db:migrate:status", "bin/rails test"],
    },
    {
      name: "java-maven-flyway",
      action: "tests",
      counts: ["./mvnw test", "mvn -pl core test", "./mvnw -q -Dtest=CoreTest test", "mvn clean verify"],
      doesNot: ["mvn compile", "mvn package -DskipTests"],
    },
    {
      name: "java-gradle-kotlin",
      action: "tests",
      counts: [
        "./gradlew test",
        "./gradlew :app:test",
        "./gradlew :lib:audio:test --tests '*Audio*'",
        "gradle clean check",
      ],
      doesNot: ["./gradlew assemble", "./gradlew tasks"],
    },
    {
      name: "next-prisma",
      action: "migrate",
      counts: [
        "pnpm run db:deploy",
        "pnpm db:migrate",
        "pnpm prisma migrate deploy",
        "npx prisma migrate dev --name x",
      ],
      doesNot: ["pnpm prisma migrate status", "pnpm prisma generate"],
    },
    {
      name: "next-prisma",
      action: "generate-prisma",
      counts: ["pnpm exec prisma generate", "npx prisma generate", "pnpm build"],
      doesNot: ["pnpm prisma validate", "pnpm dev"],
    },
    {
      name: "next-prisma",
      action: "check-compose",
      counts: ["docker compose config -q", "docker compose -f docker-compose.prod.yml config", "docker compose up -d"],
      doesNot: ["docker compose ps", "docker ps", "docker compose down"],
    },
    {
      name: "mixed-backend-and-frontend",
      action: "tests",
      counts: ["cd backend && uv run pytest", "make test"],
      doesNot: ["cd frontend && npm test"],
    },
    {
      name: "mixed-backend-and-frontend",
      action: "test-node",
      counts: ["cd frontend && npx vitest run", "npm --prefix frontend test", "make test"],
      doesNot: ["cd backend && uv run pytest"],
    },
  ];
  test.for(ways)("$name, $action", async ({ name, action, counts, doesNot }) => {
    const rules = rulesOf(await proposalOf(name));
    const lines = [...counts, ...doesNot];
    expect(lines.filter((line) => isEvidence(rules, action, line))).toEqual(counts);
  });
});
