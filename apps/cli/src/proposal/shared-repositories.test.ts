import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConfig, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { runHeuristics } from "@agent-checkpoint/heuristics";
import { findReports, isTestFile, languagesOfFile, type RunnerId, type TestReport } from "@agent-checkpoint/reports";
import {
  readRepository,
  type RepositoryFacts,
  runFromRoot,
  type TestArea,
  testAreas,
} from "@agent-checkpoint/repository";
import { afterAll, describe, expect, test } from "vitest";
import { proposalRows } from "./proposal-rows.ts";
import { proposalOf } from "./propose-config.ts";
import { layOutSkeleton } from "./testing/lay-out-skeleton.ts";

/** Public repositories as far as they can be seen without their code. They belong to others and stand beside the repository, if anywhere. */
const SHARED = fileURLToPath(new URL("../../../../../shared/repositories", import.meta.url));

interface Expectation {
  readonly repository: string;
  /** The commands that are asked for, by action. */
  readonly runs: Readonly<Record<string, string>>;
  /** The runner whose report these commands end with, by action; none if its reports are not known. */
  readonly prints?: Readonly<Record<string, RunnerId>>;
  /** What the maintainers run themselves, by action. */
  readonly theirs?: Readonly<Record<string, readonly string[]>>;
  /** Where the migrations are. */
  readonly migrations?: readonly string[];
}

const rows: readonly Expectation[] = [
  {
    repository: "expressjs__express",
    prints: { tests: "mocha" },
    runs: { tests: "npm test" },
    theirs: { tests: ["npm run test-ci", "npx mocha"] },
  },
  {
    repository: "vitejs__vite",
    prints: { tests: "vitest" },
    runs: { tests: "pnpm test" },
    theirs: { tests: ["pnpm run test-unit", "pnpm test-unit"] },
  },
  { repository: "nestjs__nest", prints: { tests: "mocha" }, runs: { tests: "npm test" } },
  {
    repository: "psf__requests",
    prints: { tests: "pytest" },
    runs: { tests: "make test" },
    theirs: { tests: ["pytest", "tox"] },
  },
  {
    repository: "pytest-dev__pytest",
    prints: { tests: "pytest" },
    runs: { tests: "tox" },
    theirs: { tests: ["tox run -e py312", "pytest"] },
  },
  {
    repository: "gin-gonic__gin",
    prints: { tests: "go" },
    runs: { tests: "make test" },
    theirs: { tests: ["go test ./..."] },
  },
  {
    repository: "facebook__react",
    prints: { tests: "jest", "test-rust": "cargo" },
    runs: { tests: "yarn test", "test-rust": "cd compiler && cargo test --workspace" },
  },
  { repository: "hashicorp__terraform", prints: { tests: "go" }, runs: { tests: "go test ./..." } },
  {
    repository: "honojs__hono",
    prints: { tests: "vitest" },
    runs: { tests: "bun run test" },
    theirs: { tests: ["npx vitest --run"] },
  },
  {
    repository: "elysiajs__elysia",
    prints: { tests: "bun" },
    runs: { tests: "bun run test" },
    theirs: { tests: ["bun test"] },
  },
  {
    repository: "nrwl__nx-examples",
    prints: { tests: "jest" },
    runs: { tests: "yarn test" },
    theirs: { tests: ["npx nx affected -t test"] },
  },
  {
    repository: "nrwl__nx",
    prints: { tests: "jest" },
    runs: { tests: "pnpm test", "test-java": "./gradlew test", "test-dotnet": "dotnet test" },
    theirs: { tests: ["pnpm nx run-many -t test", "npx nx test"] },
  },
  {
    repository: "medusajs__medusa",
    prints: { tests: "jest" },
    runs: { tests: "yarn test" },
    theirs: { tests: ["yarn test:integration:http"] },
  },
  {
    repository: "mastodon__mastodon",
    prints: { tests: "rspec", "test-node": "vitest" },
    runs: { tests: "bin/rspec", "test-node": "yarn test", migrate: "bin/rails db:migrate" },
    theirs: { tests: ["bundle exec rspec"], "test-node": ["yarn test:js"] },
    migrations: ["db/migrate/**"],
  },
  { repository: "sharkdp__bat", prints: { tests: "cargo" }, runs: { tests: "cargo test" } },
  { repository: "ageron__handson-ml3", runs: {} },
  { repository: "sindresorhus__awesome", runs: {} },
  {
    repository: "pallets__flask",
    prints: { tests: "pytest" },
    runs: { tests: "tox" },
    theirs: { tests: ["tox run", "uv run pytest"] },
  },
  {
    repository: "fastapi__fastapi",
    prints: { tests: "pytest" },
    runs: { tests: "scripts/test.sh" },
    theirs: { tests: ["bash scripts/test.sh", "uv run pytest"] },
  },
  {
    repository: "BurntSushi__ripgrep",
    prints: { tests: "cargo" },
    runs: { tests: "cargo test --workspace" },
    theirs: { tests: ["cargo test --all"] },
  },
  {
    repository: "tokio-rs__tokio",
    prints: { tests: "cargo" },
    runs: { tests: "cargo test --workspace" },
    theirs: { tests: ["cargo hack test --each-feature"] },
  },
  {
    repository: "kubernetes-sigs__kustomize",
    prints: { tests: "go" },
    runs: { tests: "make test-unit-all" },
    theirs: { tests: ["go test ./..."] },
  },
  {
    repository: "spring-projects__spring-petclinic",
    prints: { tests: "gradle" },
    runs: { tests: "./gradlew test" },
    theirs: { tests: ["./gradlew build", "./mvnw verify"] },
  },
  {
    repository: "junit-team__junit5",
    prints: { tests: "gradle" },
    runs: { tests: "./gradlew test" },
    theirs: { tests: ["./gradlew build"] },
  },
  {
    repository: "discourse__discourse",
    prints: { tests: "rspec", "test-node": "karma" },
    runs: { tests: "bin/rspec", "test-node": "bin/qunit", migrate: "bin/rails db:migrate" },
    theirs: { tests: ["bundle exec rspec"], "test-node": ["bin/qunit", "bin/rake qunit:test"] },
    migrations: ["db/migrate/**"],
  },
  {
    repository: "calcom__cal.com",
    prints: { tests: "vitest" },
    runs: { tests: "yarn test", migrate: "cd packages/prisma && yarn db-deploy" },
    migrations: ["packages/prisma/migrations/**"],
  },
  {
    repository: "evilmartians__lefthook",
    prints: { tests: "go" },
    runs: { tests: "go test ./..." },
    theirs: { tests: ["make test"] },
  },
  {
    repository: "encode__django-rest-framework",
    prints: { tests: "pytest" },
    runs: { tests: "./runtests.py" },
    theirs: { tests: ["tox run", "pytest"] },
  },
  {
    repository: "getsentry__sentry",
    prints: { tests: "jest", "test-python": "pytest" },
    runs: { tests: "pnpm test", "test-python": "uv run pytest" },
    theirs: { "test-python": ["pytest", "make test-python-ci"] },
  },
  {
    repository: "django__django",
    prints: { tests: "unittest", "test-node": "karma" },
    runs: { tests: "tests/runtests.py", "test-node": "npm test" },
    theirs: { tests: ["./runtests.py", "python tests/runtests.py"] },
  },
  {
    repository: "fastapi__full-stack-fastapi-template",
    prints: { tests: "playwright", "test-python": "pytest" },
    runs: {
      tests: "bun run test",
      "test-python": "cd backend && uv run pytest",
      migrate: "cd backend && uv run alembic upgrade head",
    },
    theirs: { "test-python": ["pytest", "cd backend && uv run pytest"] },
    migrations: ["backend/app/alembic/versions/**/*.py"],
  },
  {
    repository: "rails__rails",
    prints: { tests: "minitest" },
    runs: { tests: "bundle exec rake test", "test-node": "cd actioncable && yarn test" },
    theirs: { tests: ["bin/test", "cd activerecord && bundle exec rake test"] },
  },
  {
    repository: "phoenixframework__phoenix",
    prints: { tests: "ex-unit" },
    runs: { tests: "mix test", "test-node": "npm test" },
  },
  {
    repository: "laravel__laravel",
    prints: { tests: "pest" },
    runs: { tests: "composer test", migrate: "php artisan migrate" },
    theirs: { tests: ["php artisan test"] },
    migrations: ["database/migrations/**"],
  },
  {
    repository: "bazelbuild__examples",
    runs: {
      tests: "cd frontend && bazel test //...",
      "test-rust": "cd rust-examples/08-grpc-client-server && bazel test //...",
      "test-c": "cd third-party-dependencies && bazel test //...",
      "test-java": "cd java-maven && bazel test //...",
      "test-go": "cd go-tutorial/stage3 && bazel test //...",
    },
    theirs: { tests: ["bazel test //..."], "test-c": ["bazel test //..."] },
  },
  {
    repository: "symfony__demo",
    prints: { tests: "phpunit" },
    runs: { tests: "bin/phpunit" },
    theirs: { tests: ["vendor/bin/phpunit"] },
  },
  {
    repository: "flutter__samples",
    prints: { tests: "dart" },
    runs: {
      tests: "cd android_splash_screen && flutter test",
      "test-java": "cd add_to_app/books/android_books && ./gradlew test",
      "test-swift": "cd add_to_app/fullscreen/ios_fullscreen && xcodebuild test -scheme IOSFullScreen",
      "test-node": "cd web_embedding/ng-flutter && npm test",
    },
    theirs: { tests: ["flutter test"] },
  },
  {
    repository: "redis__redis",
    runs: { tests: "./runtest" },
    theirs: { tests: ["./runtest --tags -slow", "make test", "make -C src test"] },
  },
  {
    repository: "nlohmann__json",
    prints: { tests: "ctest" },
    runs: { tests: "ctest --test-dir build" },
    theirs: { tests: ["cd build && ctest"] },
  },
  {
    repository: "denoland__fresh",
    prints: { tests: "deno" },
    runs: { tests: "deno task test" },
    theirs: { tests: ["deno test -A"] },
  },
  {
    repository: "terraform-aws-modules__terraform-aws-vpc",
    runs: { tests: "terraform validate" },
    theirs: { tests: ["terraform validate"] },
  },
  {
    repository: "prisma__prisma-examples",
    prints: { tests: "jest" },
    runs: { tests: "cd databases/cockroachdb && npm test" },
    theirs: { tests: ["npm run test"] },
  },
];

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-shared-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The ids under which the table names the areas: the first is the main one. */
function idOf(language: string, index: number): string {
  return index === 0 ? "tests" : `test-${language === "javascript" ? "node" : language}`;
}

async function proposalFor(repository: string) {
  const folder = mkdtempSync(join(scratch, "repository-"));
  const tracked = layOutSkeleton(join(SHARED, repository), folder);
  const facts = await readRepository(folder, { tracked });
  const proposed = proposalRows(facts, "generic");
  const tested = testAreas(facts).filter(({ runs }) => runs.length > 0);
  return {
    tracked,
    facts,
    tested,
    proposed,
    proposal: proposalOf(proposed),
    rules: rulesOf(proposalOf(proposed).text),
  };
}

/** What a runner said in a green run of its own that was recorded. */
function recordedReports(runner: RunnerId | undefined): readonly TestReport[] {
  if (runner === undefined) return [];
  return findReports(readFileSync(new URL(`${runner}/green.txt`, RECORDINGS), "utf8"));
}

const RECORDINGS = new URL("../../../../packages/reports/fixtures/", import.meta.url);

/** Whether a command that succeeded after an edit of a file in the area leaves nothing to ask for. */
function isEnough(
  line: string,
  { language, runs }: TestArea,
  facts: RepositoryFacts,
  { tracked, rules, reports }: Judged,
): boolean {
  const home = runs[0]?.folder ?? "";
  // What runs in a folder proves what lies there.
  const place = /^cd (\S+) && | -C (\S+) /
    .exec(line)
    ?.slice(1)
    .find((folder) => folder !== undefined && folder !== "build");
  const file =
    tracked.find(
      (path) =>
        path.startsWith(place ?? home) && languagesOfFile(path).includes(language) && !isTestFile(path, language),
    ) ?? "";
  const call = { ...SUCCEEDED, command: `cd /repository/${home} && ${line}`, kind: "shell" as const, reports };
  const edit = { ...SUCCEEDED, id: "1", kind: "write" as const, command: null, files: [`/repository/${file}`] };
  const timeline = {
    hasData: true,
    toolCalls: [edit, call],
    prompt: null,
    isWhole: true,
    skippedLines: 0,
    size: 0,
  } as const;
  const { actions } = runHeuristics([file], timeline, {
    projectPath: "/repository",
    workingSlug: null,
    agentName: "claude",
    rules,
    repository: facts,
  });
  return !actions.some(({ id }) => id === "tests");
}

interface Judged {
  readonly tracked: readonly string[];
  readonly rules: Rules;
  readonly reports: readonly TestReport[];
}

const SUCCEEDED = {
  id: "2",
  toolName: "",
  inputData: {},
  command: null,
  cwd: "/repository",
  files: [],
  hadError: false,
  hasResult: true,
  rejected: false,
  exitCode: 0,
  resultSnippet: "",
  reports: [],
  timestamp: null,
  endedAt: null,
  by: "main" as const,
};

function rulesOf(text: string): Rules {
  const parsed = parseConfig(text, "proposal");
  const resolved = parsed.ok ? resolveRules("generic", [{ file: "proposal", config: parsed.config }]) : parsed;
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.problems));
  return resolved.rules;
}

const isThere = existsSync(SHARED);

test.skipIf(isThere)("the shared repositories are not here, so nothing is compared with them", () => {
  expect(isThere).toBe(false);
});

describe.runIf(isThere)("public repositories", () => {
  test("have a row each", () => {
    const described = readdirSync(SHARED).filter((name) => name.includes("__"));
    expect(rows.map(({ repository }) => repository).toSorted()).toEqual(described.toSorted());
  });

  test.for(rows)("$repository", async ({ repository, runs, prints = {}, theirs = {}, migrations }) => {
    const { tracked, facts, tested, proposed, proposal, rules } = await proposalFor(repository);
    const asked = [
      ...tested.map(({ language, runs: [run] }, index) => `${idOf(language, index)}: ${runFromRoot(run)}`),
      ...proposal.checks.map(({ what }) => what).filter((what) => what.startsWith("migrate: ")),
    ];
    const included = proposed.categories.find(({ entry }) => entry.id === "migrations")?.entry.include;
    const refused = tested.flatMap((area, index) => {
      const id = idOf(area.language, index);
      const lines = [area.runs[0]?.command ?? "", ...(theirs[id] ?? [])];
      // With the proposal and without a config; with the runner's own report, and by the command's name and exit status alone.
      return [rules, rulesOf("{}")].flatMap((inForce) =>
        [recordedReports(prints[id]), []].flatMap((reports) =>
          lines.filter((line) => !isEnough(line, area, facts, { tracked, rules: inForce, reports })),
        ),
      );
    });
    const places = [...proposed.actions, ...proposed.categories].flatMap(({ where }) =>
      [...where.matchAll(/[\w@.-]+(?:\/[\w@.-]+)+/g)].map(([path]) => path),
    );
    expect({ asked, refused, included, gone: places.filter((path) => !tracked.includes(path)) }).toEqual({
      asked: Object.entries(runs).map(([id, run]) => `${id}: ${run}`),
      refused: [],
      included: migrations,
      gone: [],
    });
    // What is not asked for is said in plain words.
    expect(proposal.notes.length > 0 || runs["tests"] !== undefined).toBe(true);
  });
});
