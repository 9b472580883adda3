import type { Language } from "@agent-checkpoint/reports";

/** What a command is run for; `run`: the program itself, by hand. */
export type RunKind = "test" | "types" | "lint" | "format" | "build" | "run" | "migrate" | "generate" | "commit";

/** Programs that are run for one thing. */
export interface ProgramRow {
  readonly kind: RunKind;
  /** The languages of the code that they look at; empty for any. */
  readonly languages: readonly Language[];
  /** How they are called: the program, and the operands that follow it. */
  readonly calls: readonly string[];
}

/** Programs by what they are run for; of several matching calls, the longest counts. */
export const PROGRAMS: readonly ProgramRow[] = [
  row(
    "test",
    "python",
    "pytest, py.test, unittest, nose, nose2, nosetests, tox, nox, ptw, behave, trial, stestr, regrtest",
  ),
  row("test", "python", "hatch test, rye test, pdm test, manage.py test, django-admin test, ansible-test units"),
  row("test", "javascript", "vitest, jest, mocha, _mocha, ava, tap, tape, uvu, jasmine, qunit, wtr, web-test-runner"),
  row(
    "test",
    "javascript",
    "karma start, karma, playwright test, cypress run, node --test, tsx --test, ng test, testem",
  ),
  row(
    "test",
    "javascript",
    "npm t, pnpm t, react-scripts test, vscode-test, bun test, deno test, ember test, ember exam",
  ),
  row(
    "test",
    "javascript",
    "rake qunit:test, rake qunit, grunt test, cucumber-js, codeceptjs run, wdio run, nightwatch, testcafe",
  ),
  row(
    "test",
    "rust",
    "cargo test, cargo t, cargo nextest, cargo llvm-cov, cargo insta test, cross test, wasm-pack test",
  ),
  row("test", "go", "go test, gotestsum, ginkgo, richgo, go tool gotestsum, gotest"),
  row("test", "java", "mvn test, mvn verify, mvn package, mvn install, mvn deploy, mvn integration-test"),
  row("test", "java", "gradle test, gradle check, gradle build"),
  row("test", "scala", "scala-cli test"),
  row("test", "clojure", "kaocha"),
  row(
    "test",
    "ruby",
    "rspec, parallel_rspec, turbo_rspec, rake, rake test, rake spec, rails test, rails spec, cucumber",
  ),
  row("test", "ruby", "m, minitest, brew tests"),
  row("test", "php", "phpunit, simple-phpunit, pest, paratest, artisan test, codecept run, behat, phpspec run"),
  row("test", "dotnet", "dotnet test, dotnet vstest, vstest.console, nunit3-console, xunit.console"),
  row("test", "elixir", "mix test, mix coveralls, mix espec"),
  row("test", "erlang", "rebar3 eunit, rebar3 ct, rebar3 proper"),
  row("test", "swift", "swift test, xcodebuild test, xcodebuild test-without-building, fastlane scan, fastlane test"),
  row("test", "dart", "flutter test, dart test, dart run test, very_good test, patrol test"),
  row("test", "c", "ctest, meson test, ninja check, cmake check"),
  row("test", "haskell", "stack test, cabal test, cabal v2-test, cabal new-test"),
  row("test", "ocaml", "dune test, dune runtest, dune build @runtest"),
  row("test", "zig", "zig test, zig build test"),
  row("test", "solidity", "forge test, anchor test"),
  { kind: "test", languages: ["solidity", "javascript"], calls: ["hardhat test"] },
  row("test", "lua", "busted, vusted, luaunit"),
  row("test", "r", "R CMD check"),
  row("test", "perl", "prove"),
  row("test", "shell", "bats, shellspec, shunit2"),
  row("test", "nim", "nimble test"),
  row("test", "crystal", "crystal spec"),
  row("test", "gleam", "gleam test"),
  row("test", "elm", "elm-test, elm-test-rs"),
  row("test", "powershell", "Invoke-Pester"),
  // A module without tests is verified by its validation.
  row("test", "terraform", "terraform test, terraform validate, tofu test, tofu validate, terragrunt validate"),
  row(
    "test",
    null,
    "bazel test, buck test, buck2 test, pants test, helm unittest, molecule test, opa test, robot, newman run, hurl --test, inspec exec, dbt build, nix flake check",
  ),

  row("types", "javascript", "tsc, vue-tsc, ember-tsc, flow, flow check, deno check, svelte-check, astro check, attw"),
  row("types", "python", "mypy, pyright, basedpyright, ty check, pyre, pytype, compileall, py_compile"),
  row("types", "rust", "cargo check, cargo c"),
  row("types", "php", "phpstan, psalm"),
  row("types", "ruby", "srb tc, steep check"),
  row("types", "elixir", "mix dialyzer"),
  row("types", "erlang", "rebar3 dialyzer"),

  row(
    "lint",
    "javascript",
    "eslint, oxlint, biome check, biome lint, biome ci, xo, ng lint, deno lint, standard, stylelint",
  ),
  row("lint", "javascript", "next lint"),
  row("lint", "python", "ruff, ruff check, flake8, pylint"),
  row("lint", "rust", "cargo clippy"),
  row("lint", "go", "golangci-lint, staticcheck, revive, go vet"),
  row("lint", "ruby", "rubocop, standardrb, erb_lint, erblint"),
  row("lint", "java", "ktlint, detekt, checkstyle"),
  row("lint", "dart", "dart analyze, flutter analyze"),
  row("lint", "swift", "swiftlint"),
  row("lint", "shell", "shellcheck"),
  row("lint", "elixir", "mix credo"),
  row("lint", "php", "phpcs, pint, php-cs-fixer"),
  row("lint", "terraform", "tflint"),
  row("lint", "haskell", "hlint"),
  row("lint", null, "pre-commit run"),

  row("format", "javascript", "prettier, oxfmt, biome format, deno fmt, dprint"),
  row("format", "python", "ruff format, black, isort, autopep8, yapf"),
  row("format", "rust", "cargo fmt, rustfmt"),
  row("format", "go", "gofmt, goimports, gofumpt"),
  row("format", "dart", "dart format"),
  row("format", "c", "clang-format"),
  row("format", "elixir", "mix format"),
  row("format", "terraform", "terraform fmt, tofu fmt"),

  row(
    "build",
    "javascript",
    "vite build, webpack, rollup, next build, nuxt build, tsup, tsdown, astro build, ng build",
  ),
  row("build", "javascript", "esbuild, bun build, docusaurus build, remix build"),
  row("build", "rust", "cargo build, cargo b"),
  row("build", "go", "go build, go install"),
  row("build", "swift", "swift build, xcodebuild, xcodebuild build"),
  row("build", "java", "mvn compile, gradle assemble, gradle compileJava, gradle compileKotlin"),
  row("build", "dotnet", "dotnet build"),
  row("build", "c", "cmake, ninja, meson compile, meson setup"),
  row("build", "elixir", "mix compile"),
  row("build", "zig", "zig build"),
  row("build", "dart", "flutter build"),
  row("build", "haskell", "stack build, cabal build"),
  row("build", null, "bazel build, docker build, docker compose build"),

  row("run", "go", "go run"),
  row("run", "rust", "cargo run, cargo r"),
  row("run", "swift", "swift run"),
  row("run", "dotnet", "dotnet run"),
  row("run", "dart", "dart run"),
  row("run", "javascript", "deno run"),
  row("run", "zig", "zig run, zig build run"),
  row("run", "elixir", "mix run"),

  row(
    "migrate",
    null,
    "prisma migrate, prisma db push, drizzle-kit migrate, drizzle-kit push, knex migrate, knex migrate:latest",
  ),
  row(
    "migrate",
    null,
    "alembic upgrade, manage.py migrate, rails db:migrate, rails db:prepare, rake db:migrate, rake db:prepare",
  ),
  row(
    "migrate",
    null,
    "artisan migrate, mix ecto.migrate, flyway migrate, sqlx migrate, diesel migration, goose up, dbmate",
  ),
  row("migrate", null, "typeorm migration:run, sequelize db:migrate, sequelize-cli db:migrate, atlas migrate"),
  row("migrate", null, "console doctrine:migrations:migrate, dotnet ef database update"),
  row("generate", null, "prisma generate, graphql-codegen, buf generate, sqlc generate, protoc, go generate, orval"),
  row("generate", null, "openapi-generator, openapi-generator-cli, openapi-typescript, openapi-ts, oapi-codegen"),
  row("generate", null, "swagger-codegen, relay-compiler, dart run build_runner, flutter pub run build_runner"),
  row("commit", null, "git commit"),
];

function row(kind: RunKind, language: Language | null, calls: string): ProgramRow {
  return { kind, languages: language === null ? [] : [language], calls: calls.split(", ") };
}

/** Programs whose operands name scripts or targets of the repository, with the language that they usually run. */
export const SCRIPT_RUNNERS: ReadonlyMap<string, readonly Language[]> = new Map([
  ...each(["javascript"], "npm pnpm yarn bun node deno turbo nx lerna rush gulp grunt wireit hereby npm-run-all run-s"),
  ...each(["javascript"], "run-p concurrently vue-cli-service wsrun ultra zx"),
  ...each(["java"], "gradle mvn"),
  ...each(["scala", "java"], "mill sbt"),
  ...each(["clojure", "java"], "clj clojure lein bb"),
  ...each(["ruby"], "rake rails"),
  ...each(["php"], "composer sail artisan"),
  ...each(["rust"], "cargo"),
  ...each(["python"], "poe invoke inv doit pdm hatch pixi rye"),
  ...each(["dart"], "melos fvm"),
  ...each(["swift"], "fastlane tuist"),
  ...each(["c"], "cmake ninja"),
  ...each(["zig"], "zig"),
  ...each(["dotnet"], "nuke cake dotnet"),
  ...each([], "pre-commit lefthook make gmake just task go-task mise earthly moon devbox act dagger mage"),
]);

/** Interpreters, whose first operand is the program that runs. */
export const INTERPRETERS: ReadonlyMap<string, readonly Language[]> = new Map([
  ...each(["javascript"], "node tsx ts-node bun deno"),
  ...each(["python"], "python python3 pypy py"),
  ...each(["ruby"], "ruby"),
  ...each(["php"], "php"),
  ...each(["perl"], "perl"),
  ...each(["r"], "Rscript"),
  ...each(["julia"], "julia"),
  ...each(["nim"], "nim"),
  ...each(["lua"], "lua luajit"),
  ...each(["elixir"], "elixir"),
  ...each([], "guile racket sbcl swipl emacs ocaml groovy raku tclsh"),
  ...each([], "bash sh zsh dash ksh source . pwsh powershell"),
]);

function each(languages: readonly Language[], programs: string): readonly (readonly [string, readonly Language[]])[] {
  return programs.split(" ").map((program) => [program, languages]);
}

/** Whether a program runs another that is given to it as text, whatever its version: `python3.12`. */
export function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(program) || INTERPRETERS.has(program.replace(/[\d.]+$/, ""));
}

/** Programs that show, move or query: they never run tests, whatever their operands are called. */
export const NO_RUNNERS: ReadonlySet<string> = new Set(
  [
    "cat head tail less more nl bat batcat tac wc xxd od strings diff cmp grep egrep fgrep rg ag ack awk gawk sed",
    "jq yq sort uniq cut tr tee ls find fd tree stat file du df which type command readlink realpath pwd echo",
    "printf true : test [ [[ cd pushd popd export set unset alias sleep mkdir rm rmdir mv cp ln touch chmod chown",
    "tar zip unzip install xargs git gh glab hub curl wget ssh scp rsync ping nc kill pkill ps pgrep docker kubectl",
    "helm docker-compose podman brew apt apt-get pip pip3 code vim man help history date env systemctl journalctl {",
    "exit return wait basename psql mysql sqlite3 createdb dropdb redis-cli aws gcloud az tmux screen watch entr nodemon",
    "claude codex gemini gcc cc clang g++ clang++ ghc javac kotlinc rustc yamllint hadolint actionlint emulator adb vite",
  ].flatMap((programs) => programs.split(" ")),
);
