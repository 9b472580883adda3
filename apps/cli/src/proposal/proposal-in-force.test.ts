import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCheckpointContent } from "@agent-checkpoint/composer";
import { makeRepository, PROMPT_AT, type Step, writeClaudeTranscript } from "@agent-checkpoint/fixtures";
import { afterAll, expect, test } from "vitest";
import { loadCase, proposalIn } from "./testing/stack-cases.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-proposal-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What a stop asks for in a repository of a case that has its proposal, after a turn that changed a file and ran commands. */
async function askedAt(name: string, changes: readonly string[], runs: readonly string[]) {
  const { files } = loadCase(name);
  const project = mkdtempSync(join(scratch, "project-"));
  const turn: readonly Step[] = [...changes.map((write) => ({ write })), ...runs.map((shell) => ({ shell }))];
  const config = { "checkpoint.config.json": (await proposalIn(mkdtempSync(join(scratch, "case-")), files)).text };
  await makeRepository(project, {
    name,
    title: name,
    prompt: "Change it",
    minutes: 5,
    committed: [],
    contents: { ...files, ...config },
    modified: changes,
    turn,
    blocks: true,
  });
  const facts = {
    sessionId: "00000000-0000-4000-8000-000000000001",
    promptId: "00000000-0000-4000-8000-000000000002",
    prompt: "Change it",
    projectPath: project,
    promptAt: PROMPT_AT,
    lastMessage: "Done.",
  };
  const transcriptPath = join(scratch, `${project.slice(-6)}.jsonl`);
  writeFileSync(transcriptPath, writeClaudeTranscript(turn, facts));
  const { deliver, result, problem, message } = await getCheckpointContent({
    agentName: "claude",
    projectPath: project,
    transcriptPath,
    workingSlug: null,
    now: new Date(PROMPT_AT.getTime() + 300_000),
  });
  const actions = result?.actions.map(({ id }) => id) ?? [];
  const counted = Object.keys(result?.quiet ?? {});
  return { verdict: { deliver, actions, problem }, counted, observations: result?.observations ?? [], message };
}

interface Row {
  readonly name: string;
  readonly changes: readonly string[];
  /** What the turn would be asked for. */
  readonly asks: readonly string[];
  /** Commands that settle all of it. */
  readonly runs: readonly string[];
}

const rows: readonly Row[] = [
  { name: "npm-vitest", changes: ["src/slug.ts"], asks: ["tests"], runs: ["npx vitest run"] },
  {
    name: "python-uv-alembic",
    changes: ["src/billing/app.py", "db/alembic/versions/0002_more.py"],
    asks: ["tests"],
    runs: ["uv run pytest -q"],
  },
  {
    name: "go-makefile-goose",
    changes: ["internal/ledger/ledger.go", "db/queries/accounts.sql"],
    asks: ["tests"],
    runs: ["go test ./internal/..."],
  },
  {
    name: "ruby-rails-rspec",
    changes: ["app/models/user.rb", "db/migrate/2_more.rb"],
    asks: ["tests"],
    runs: ["bundle exec rspec"],
  },
  {
    name: "java-gradle-kotlin",
    changes: ["lib/audio/src/main/kotlin/Audio.kt"],
    asks: ["tests"],
    runs: ["./gradlew :lib:audio:test"],
  },
  {
    name: "mixed-backend-and-frontend",
    changes: ["backend/app.py", "frontend/src/app.ts"],
    asks: ["tests"],
    runs: ["cd backend && uv run pytest", "npm --prefix frontend test"],
  },
];

test.for(rows)("$name: $changes asks for $asks", async ({ name, changes, asks }) => {
  expect((await askedAt(name, changes, [])).verdict).toEqual({ deliver: true, actions: asks, problem: null });
});

test.for(rows)("$name: $runs settles it", async ({ name, changes, runs }) => {
  expect((await askedAt(name, changes, runs)).verdict).toEqual({ deliver: false, actions: [], problem: null });
});

const silent: readonly Pick<Row, "name" | "changes">[] = [
  { name: "npm-without-tests", changes: ["src/main.js"] },
  { name: "python-without-tests", changes: ["fetch.py"] },
  { name: "rust-diesel-without-tests", changes: ["src/main.rs"] },
  { name: "documents-only", changes: ["notes/tool.py"] },
  { name: "mixed-tauri", changes: ["scripts/once.py", "public/index.html", "src/app.css"] },
  { name: "npm-vitest", changes: ["README.md"] },
  { name: "next-prisma", changes: ["prisma/schema.prisma", "prisma/migrations/2/migration.sql", "docker-compose.yml"] },
];
test.for(silent)("$name: $changes asks for nothing", async ({ name, changes }) => {
  expect((await askedAt(name, changes, [])).verdict).toEqual({ deliver: false, actions: [], problem: null });
});

const TESTS_MISSING = "Code was modified but `make test` was not observed this turn.";

test("a migration and a generator are counted in shadow, and nothing once they ran", async () => {
  const changes = ["internal/ledger/ledger.go", "db/queries/accounts.sql", "db/migrations/2_more.sql"];
  const open = await askedAt("go-makefile-goose", changes, []);
  expect(open.observations).toEqual([TESTS_MISSING]);
  expect(open.counted).toEqual(["generate-sqlc", "migrate", "check-lint"]);
  const done = await askedAt("go-makefile-goose", changes, ["make generate migrate-up lint test"]);
  expect(done).toMatchObject({ observations: [], counted: [] });
});

const shadows = [
  { turn: "nothing was run", runs: [], deliver: true, mentioned: [TESTS_MISSING], counted: ["check-lint"] },
  { turn: "the tests were run", runs: ["go test ./..."], deliver: false, mentioned: [], counted: ["check-lint"] },
  { turn: "both were run", runs: ["golangci-lint run", "go test ./..."], deliver: false, mentioned: [], counted: [] },
];
test.for(shadows)(
  "a check in shadow is counted, and neither said nor a reason to block: $turn",
  async ({ runs, deliver, mentioned, counted }) => {
    const found = await askedAt("go-makefile-goose", ["internal/ledger/ledger.go"], runs);
    const { verdict, observations, message } = found;
    expect({ deliver: verdict.deliver, observations, counted: found.counted }).toEqual({
      deliver,
      observations: mentioned,
      counted,
    });
    expect(message).not.toContain("lint");
    expect(message.match(/^- code: /gm)?.length ?? 0).toBeLessThanOrEqual(1);
  },
);
