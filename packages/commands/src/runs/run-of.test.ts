import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../shell/parse-command-line.ts";
import { type Declared, runOf } from "./run-of.ts";

const kindsOf = (line: string, facts: Declared | null = null) =>
  parseCommandLine(line).flatMap((command) => runOf(command, facts)?.kind ?? []);

describe("what is a test run, and what only looks like one", () => {
  const rows = [
    {
      of: "JavaScript",
      runs: [
        "npm test",
        "npm t",
        "yarn run test",
        "bun test src",
        "vitest run",
        "yarn jest src",
        "pnpm exec vitest run",
        "bun run mocha",
        "playwright test --headed",
        "cypress run",
        "node --test src",
        "tsx --test",
        "deno test",
        "pnpm turbo run test",
        "nx affected -t test",
        "nx run-many --target=test",
        "make test",
        "npm run test:unit",
        "npm run ci",
        "clojure -M:test",
      ],
      others: [
        "node server.js",
        "npm run build",
        "npm ci",
        "npm run test:watch",
        "playwright install",
        "cypress open",
        "vitest list",
        "pnpm vitest list",
        "pnpm turbo run lint",
        "nx affected -t build",
        "tsc --noEmit",
        "make build",
        "jest --showConfig",
        "npm i jest",
        "npx jest --listTests",
        "playwright test --list",
        "npx --help vitest",
        "cypress verify",
        "turbo run test --dry",
      ],
    },
    {
      of: "stacks that are rarer",
      runs: [
        "terraform validate",
        "terraform -chdir=modules/a validate",
        "zig build test --summary all",
        "opam exec -- dune runtest",
        "cabal v2-test",
        "bin/rake qunit:test",
        "make -C src test",
      ],
      others: ["terraform init", "zig build", "opam exec -- dune build", "opam install dune"],
    },
    {
      of: "Python",
      runs: [
        "pytest -q",
        "py.test",
        "python -m unittest discover",
        "tox -e py312",
        "nox",
        "hatch test",
        "python manage.py test",
      ],
      others: [
        "python app.py",
        "python manage.py migrate",
        "hatch build",
        "ruff check",
        "pytests",
        "pytest --collect-only",
        "PYTEST_ADDOPTS=--co pytest",
        "command -v pytest",
        "pytest --version",
        "pip install pytest",
        "which pytest",
      ],
    },
    {
      of: "Rust",
      runs: [
        "cargo test -p a",
        "cargo t",
        "cargo nextest run",
        "cargo insta test",
        "cargo llvm-cov",
        "cargo +nightly test",
      ],
      others: [
        "cargo build",
        "cargo nextest list",
        "cargo insta review",
        "cargo check",
        "cargo test -- --list",
        "cargo test --no-run",
      ],
    },
    {
      of: "Go",
      runs: ["go test ./...", "gotestsum", "ginkgo -r", "bazel test //...", "go -C api test ./..."],
      others: ["go vet ./...", "go build", "go run .", "go test -list .", "go test -c"],
    },
    {
      of: "Ruby",
      runs: ["rspec spec/a_spec.rb", "rails test", "rails test:all", "rake spec", "ruby -Itest a_test.rb", "cucumber"],
      others: ["ruby app.rb", "rails console", "rails db:migrate", "rubocop", "rspec --dry-run"],
    },
    {
      of: "Java",
      runs: ["mvn test", "./mvnw verify", "mvnd test", "./gradlew test", "gradle check", "mvn package", "gradle build"],
      others: ["mvn compile", "./gradlew assemble", "mvn verify -DskipTests", "gradle build -x test", "gradle -m test"],
    },
    {
      of: "programs of one project",
      runs: [
        "./mach test dom",
        "./x.py test tests/ui",
        "script/test",
        "script/cibuild",
        "bin/rspec",
        "bin/brew tests --only=cmd",
        "brew tests",
        "./quicktest",
        "./build.sh --restore --test",
        "./build.cmd -test",
        "./build.ps1 -RunTests",
        "./python -m test test_os",
        "tclsh tests/all.tcl",
        "nix flake check",
      ],
      others: [
        "brew install bats",
        "./build.sh",
        "./deploy.sh --test",
        "test -m a",
        "tclsh tools/make.tcl",
        "nix build",
      ],
    },
    {
      of: "targets with longer names",
      runs: [
        "zig build test-std",
        "./zig/zig build test:unit -- parser",
        "mix test.all",
        "composer test:unit",
        "melos test",
        "dotnet test Foo.slnx",
        "flutter test packages/x",
        "uv run nox -s tests",
        "bundle exec rake",
        "make check-unit",
        "make selftest",
        "make ct-client",
        "make eunit",
      ],
      others: ["zig build run", "mix test.watch", "mix deps.get", "make contest", "make latest", "zig fetch"],
    },
    {
      of: "targets and scripts",
      runs: ["make lint test", "just test", "mise run test:ci", "./scripts/test.sh", "bin/test", "./dev test"],
      others: [
        "make -n test",
        "just -n test",
        "ls tests",
        "cat test.sh",
        "mkdir test",
        "git add tests",
        "vim tests/a.py",
        "eslint tests",
        "bash -n test.sh",
        "[ -f test ]",
        "test -f a",
        "gh workflow run test",
        "ctest -N",
        "rm -r test",
      ],
    },
  ];
  const lines = rows.flatMap(({ of, runs, others }) => [
    ...runs.map((line) => ({ of, line, isRun: true })),
    ...others.map((line) => ({ of, line, isRun: false })),
  ]);
  test.for(lines)("$of, $line: $isRun", ({ line, isRun }) => {
    expect(kindsOf(line).includes("test")).toBe(isRun);
  });
});

describe("what other runs are for", () => {
  const rows = [
    { line: "npx tsc --noEmit", kinds: ["types"] },
    { line: "cargo clippy -- -D warnings", kinds: ["lint"] },
    { line: "npm run lint", kinds: ["lint"] },
    { line: "pnpm run build", kinds: ["build"] },
    { line: "./gradlew :app:installDebug", kinds: ["build"] },
    { line: "./gradlew :app:assembleProdDebug", kinds: ["build"] },
    { line: "go build ./...", kinds: ["build"] },
    { line: "prettier --write .", kinds: ["format"] },
    { line: "git commit -m 'run pytest'", kinds: ["commit"] },
    { line: "npx prisma migrate deploy", kinds: ["migrate"] },
    { line: "dart analyze test/", kinds: ["lint"] },
    { line: "curl localhost", kinds: [] },
  ];
  test.for(rows)("$line: $kinds", ({ line, kinds }) => {
    expect(kindsOf(line)).toEqual(kinds);
  });
});

describe("names that may run tests do so where the repository says so", () => {
  const facts = (name: string, kind: string): Declared => ({ commands: [{ name, kind, languages: [] }] });
  const rows = [
    { line: "npm run check", facts: null, kinds: ["test"] },
    { line: "npm run check", facts: facts("check", "test"), kinds: ["test"] },
    { line: "npm run check", facts: facts("check", "types"), kinds: ["types"] },
    { line: "npm run all", facts: facts("all", "test"), kinds: ["test"] },
    { line: "npm run all", facts: null, kinds: [] },
  ];
  test.for(rows)("$line with $facts: $kinds", ({ line, facts: known, kinds }) => {
    expect(kindsOf(line, known)).toEqual(kinds);
  });

  test("a name that two programs declare is that of the program which is called", () => {
    const two: Declared = {
      commands: [
        { name: "test", command: "make test", kind: "test", languages: [] },
        { name: "test", command: "npm test", kind: "test", languages: ["javascript"] },
      ],
    };
    const languagesOf = (line: string) => parseCommandLine(line).map((command) => runOf(command, two)?.languages);
    expect(["make test", "npm test", "pnpm test"].flatMap(languagesOf)).toEqual([[], ["javascript"], ["javascript"]]);
  });

  test("a script of another language says nothing of a build tool that has its own", () => {
    const npm: Declared = {
      commands: [{ name: "test", command: "npm test", kind: "test", languages: ["javascript"] }],
    };
    const languagesOf = (line: string) => parseCommandLine(line).map((command) => runOf(command, npm)?.languages);
    expect(["sbt test", "clojure -X:dev:test", "turbo run test"].flatMap(languagesOf)).toEqual([
      ["scala", "java"],
      ["clojure", "java"],
      ["javascript"],
    ]);
  });

  test("a target that is declared for one language and, in another folder, for any may test any", () => {
    const two: Declared = {
      commands: [
        { name: "test", command: "make test", kind: "test", languages: [] },
        { name: "test", command: "make test", kind: "test", languages: ["go"] },
      ],
    };
    expect(parseCommandLine("make test").map((command) => runOf(command, two)?.languages)).toEqual([[]]);
  });
});
