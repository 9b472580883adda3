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
    const rows = [...found, ...checks.map(({ what, where }) => ({ what: `${what} (shadow)`, where }))];
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
    expect(runs.filter(({ id, run }) => id !== "tests" && !isEvidence(rules, id, run ?? ""))).toEqual([]);
  });
});

describe("the natural ways to run a command", () => {
  const ways: { name: string; action: string; counts: string[]; doesNot: string[] }[] = [
    {
      name: "python-uv-alembic",
      action: "migrate",
      counts: ["uv run alembic upgrade head", "alembic upgrade +1"],
      doesNot: ["alembic revision --autogenerate -m x", "alembic current"],
    },
    {
      name: "go-makefile-goose",
      action: "migrate",
      counts: ["make migrate-up", "goose up", "goose -dir db/migrations up"],
      doesNot: ["goose status", "goose create x sql", "make test"],
    },
    {
      name: "ruby-rails-minitest",
      action: "migrate",
      counts: ["bin/rails db:migrate", "RAILS_ENV=test bundle exec rails db:migrate", "bundle exec rake db:migrate"],
      doesNot: ["bin/rails db:migrate:status", "bin/rails test"],
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
  ];
  test.for(ways)("$name, $action", async ({ name, action, counts, doesNot }) => {
    const rules = rulesOf(await proposalOf(name));
    const lines = [...counts, ...doesNot];
    expect(lines.filter((line) => isEvidence(rules, action, line))).toEqual(counts);
  });
});

test("scripts called `test` among much other code are not said to lack a command", async () => {
  const go = Array.from({ length: 150 }, (_, index) => `cmd/a${index}.go`);
  const shell = ["a", "b", "c"].flatMap((name) => [`hack/${name}.sh`, `hack/test-${name}.sh`]);
  const files = Object.fromEntries(["go.mod", "cmd/a_test.go", ...go, ...shell].map((path) => [path, ""]));
  const { notes } = await proposalIn(mkdtempSync(join(scratch, "shell-")), files);
  expect(notes).toEqual([]);
});
