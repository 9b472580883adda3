import type { Language } from "@agent-checkpoint/reports";

/** What a command is run for. */
/** `run`: the program itself, by hand. */
export type RunKind = "tests" | "types" | "lint" | "format" | "build" | "run" | "migrate" | "commit";

/** Programs that are run for one thing. */
export interface ProgramRow {
  readonly kind: RunKind;
  /** The languages of the code that they look at; none: any. */
  readonly languages: readonly Language[];
  /** How they are called: the program, and the operands that follow it. */
  readonly calls: readonly string[];
}

/** Programs by what they are run for; of several calls that fit, the longest counts. */
export const PROGRAMS: readonly ProgramRow[] = [
  tests("python", "pytest", "py.test", "unittest", "nose2", "nosetests", "tox", "nox", "ptw", "behave", "trial"),
  tests("python", "hatch test", "rye test", "pdm test", "manage.py test", "django-admin test", "stestr"),
  tests("javascript", "vitest", "jest", "mocha", "_mocha", "ava", "tap", "tape", "uvu", "jasmine", "qunit", "wtr"),
  tests("javascript", "karma start", "playwright test", "cypress run", "node --test", "tsx --test", "ng test"),
  tests(
    "javascript",
    "npm t",
    "pnpm t",
    "react-scripts test",
    "web-test-runner",
    "testem",
    "vscode-test",
    "bun test",
    "deno test",
  ),
  tests("rust", "cargo test", "cargo t", "cargo nextest", "cargo llvm-cov", "cross test", "wasm-pack test"),
  tests("go", "go test", "gotestsum", "ginkgo", "richgo", "go tool gotestsum", "gotest"),
  tests("java", "mvn test", "mvn verify", "mvn package", "mvn install", "mvn deploy", "mvn integration-test"),
  tests("java", "gradle test", "gradle check", "gradle build"),
  tests("scala", "scala-cli test"),
  tests("clojure", "kaocha"),
  tests("ruby", "rspec", "rake", "rake test", "rake spec", "rails test", "cucumber", "m", "minitest"),
  tests("javascript", "rake qunit:test", "rake qunit"),
  tests("php", "phpunit", "pest", "paratest", "artisan test", "codecept run", "behat", "phpspec run"),
  tests("dotnet", "dotnet test", "dotnet vstest", "vstest.console"),
  tests("elixir", "mix test"),
  tests("erlang", "rebar3 eunit", "rebar3 ct", "rebar3 proper"),
  tests("swift", "swift test", "xcodebuild test", "xcodebuild test-without-building", "fastlane scan", "fastlane test"),
  tests("dart", "flutter test", "dart test", "very_good test", "patrol test"),
  tests("c", "ctest", "meson test"),
  tests("haskell", "stack test", "cabal test", "cabal v2-test", "cabal new-test"),
  tests("ocaml", "dune test", "dune runtest"),
  tests("zig", "zig test", "zig build test"),
  tests("solidity", "forge test", "hardhat test", "anchor test"),
  tests("lua", "busted"),
  tests("perl", "prove"),
  tests("shell", "bats", "shellspec"),
  tests("nim", "nimble test"),
  tests("powershell", "Invoke-Pester"),
  tests(null, "bazel test", "bazelisk test", "buck2 test", "pants test", "helm unittest", "opa test"),
  // A module without tests is proven by what its validation says.
  tests("terraform", "terraform test", "terraform validate", "tofu test", "tofu validate", "terragrunt validate"),
  tests(null, "pre-commit run"),

  checks("types", "javascript", "tsc", "vue-tsc", "flow check", "deno check", "svelte-check", "astro check"),
  checks("types", "python", "mypy", "pyright", "basedpyright", "ty check", "compileall", "py_compile"),
  checks("types", "rust", "cargo check", "cargo c"),
  checks("types", "go", "go vet"),
  checks("types", "php", "phpstan", "psalm"),
  checks("types", "ruby", "srb tc", "steep check"),
  checks("lint", "javascript", "eslint", "oxlint", "biome check", "biome lint", "biome ci", "xo", "ng lint"),
  checks("lint", "javascript", "deno lint", "standard", "stylelint", "next lint"),
  checks("lint", "python", "ruff", "ruff check", "flake8", "pylint"),
  checks("lint", "rust", "cargo clippy"),
  checks("lint", "go", "golangci-lint", "staticcheck", "revive"),
  checks("lint", "ruby", "rubocop", "standardrb"),
  checks("lint", "java", "ktlint", "detekt", "checkstyle"),
  checks("lint", "dart", "dart analyze", "flutter analyze"),
  checks("lint", "swift", "swiftlint"),
  checks("lint", "shell", "shellcheck"),
  checks("lint", "elixir", "mix credo"),
  checks("lint", "php", "phpcs", "pint"),
  checks("format", "javascript", "prettier", "oxfmt", "biome format", "deno fmt", "dprint"),
  checks("format", "python", "ruff format", "black", "isort", "autopep8", "yapf"),
  checks("format", "rust", "cargo fmt", "rustfmt"),
  checks("format", "go", "gofmt", "goimports", "gofumpt"),
  checks("format", "dart", "dart format"),
  checks("format", "c", "clang-format"),
  checks("format", "elixir", "mix format"),
  checks("build", "javascript", "vite build", "webpack", "rollup", "next build", "nuxt build", "tsup", "tsdown"),
  checks("build", "javascript", "astro build", "ng build", "esbuild", "bun build", "docusaurus build", "remix build"),
  checks("build", "rust", "cargo build", "cargo b"),
  checks("build", "go", "go build", "go install"),
  checks("build", "swift", "swift build", "xcodebuild", "xcodebuild build"),
  checks("build", "java", "mvn compile", "gradle assemble", "gradle compileJava", "gradle compileKotlin"),
  checks("build", "dotnet", "dotnet build"),
  checks("build", "c", "cmake", "ninja", "meson compile"),
  checks("build", "elixir", "mix compile"),
  checks("build", "zig", "zig build"),
  checks("build", "dart", "flutter build"),
  checks("build", "haskell", "stack build", "cabal build"),
  checks("build", null, "bazel build", "docker build", "docker compose build"),
  checks("run", "go", "go run"),
  checks("run", "rust", "cargo run", "cargo r"),
  checks("run", "swift", "swift run"),
  checks("run", "dotnet", "dotnet run"),
  checks("run", "dart", "dart run"),
  checks("run", "javascript", "deno run"),
  checks("run", "zig", "zig run", "zig build run"),
  checks("run", "elixir", "mix run"),

  checks(
    "migrate",
    null,
    "prisma migrate",
    "drizzle-kit migrate",
    "knex migrate",
    "alembic upgrade",
    "manage.py migrate",
  ),
  checks(
    "migrate",
    null,
    "rails db:migrate",
    "rake db:migrate",
    "artisan migrate",
    "mix ecto.migrate",
    "flyway migrate",
  ),
  checks("migrate", null, "sqlx migrate", "diesel migration", "goose up", "dbmate up", "sequelize db:migrate"),
  checks("commit", null, "git commit"),
];

function tests(language: Language | null, ...calls: readonly string[]): ProgramRow {
  return checks("tests", language, ...calls);
}

function checks(kind: RunKind, language: Language | null, ...calls: readonly string[]): ProgramRow {
  return { kind, languages: language === null ? [] : [language], calls };
}

/** Programs whose operands name scripts or targets of the repository, with the language that they are mostly of. */
export const SCRIPT_RUNNERS: ReadonlyMap<string, readonly Language[]> = new Map<string, readonly Language[]>([
  ...["npm", "pnpm", "yarn", "bun", "node", "deno", "turbo", "nx", "lerna", "rush", "gulp", "grunt", "wireit"].map(
    (program) => [program, ["javascript"]] as const,
  ),
  ...["hereby", "npm-run-all", "run-s", "run-p", "vue-cli-service", "wsrun", "ultra", "zx"].map(
    (program) => [program, ["javascript"]] as const,
  ),
  ...["gradle", "mvn"].map((program) => [program, ["java"]] as const),
  ...["mill", "sbt"].map((program) => [program, ["scala", "java"]] as const),
  ...["clj", "clojure", "lein", "bb"].map((program) => [program, ["clojure", "java"]] as const),
  ...["rake", "rails"].map((program) => [program, ["ruby"]] as const),
  ...["composer", "sail", "artisan"].map((program) => [program, ["php"]] as const),
  ...["cargo"].map((program) => [program, ["rust"]] as const),
  ...["poe", "invoke", "inv", "doit", "pdm", "hatch", "pixi", "rye"].map((program) => [program, ["python"]] as const),
  ...["melos", "fvm"].map((program) => [program, ["dart"]] as const),
  ...["xcodebuild", "fastlane", "tuist"].map((program) => [program, ["swift"]] as const),
  ...["cmake", "ninja"].map((program) => [program, ["c"]] as const),
  ...["nuke", "cake", "dotnet"].map((program) => [program, ["dotnet"]] as const),
  ...[
    "make",
    "gmake",
    "just",
    "task",
    "go-task",
    "mise",
    "earthly",
    "moon",
    "devbox",
    "act",
    "dagger",
    "bazel",
    "mage",
  ].map((program) => [program, []] as const),
]);

/** Interpreters, whose first operand is the program that runs. */
export const INTERPRETERS: ReadonlyMap<string, readonly Language[]> = new Map<string, readonly Language[]>([
  ...["node", "tsx", "ts-node", "bun", "deno"].map((program) => [program, ["javascript"]] as const),
  ...["python", "python3", "pypy", "py"].map((program) => [program, ["python"]] as const),
  ["ruby", ["ruby"]],
  ["php", ["php"]],
  ["perl", ["perl"]],
  ["Rscript", ["r"]],
  ["julia", ["julia"]],
  ["nim", ["nim"]],
  ...["bash", "sh", "zsh", "dash", "ksh", "source", "."].map((program) => [program, []] as const),
  ...["pwsh", "powershell"].map((program) => [program, []] as const),
]);

/** Whether a program runs another that is given to it as text, whatever its version: `python3.12`. */
export function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(program) || INTERPRETERS.has(program.replace(/[\d.]+$/, ""));
}

/** Programs that show, move or ask: no test runs under their name, whatever their operands are called. */
export const NO_RUNNERS: ReadonlySet<string> = new Set([
  ..."cat head tail less more nl bat batcat tac wc xxd od strings diff cmp grep egrep fgrep rg ag ack awk gawk sed".split(
    " ",
  ),
  ..."jq yq sort uniq cut tr tee ls find fd tree stat file du df which type command readlink realpath pwd echo".split(
    " ",
  ),
  ..."printf true : test [ [[ cd pushd popd export set unset alias sleep mkdir rm rmdir mv cp ln touch chmod chown".split(
    " ",
  ),
  ..."tar zip unzip install xargs git gh glab hub curl wget ssh scp rsync ping nc kill pkill ps pgrep docker kubectl".split(
    " ",
  ),
  ..."helm docker-compose podman brew apt apt-get pip pip3 code vim man help history date env systemctl journalctl {".split(
    " ",
  ),
  ..."exit return wait basename".split(" "),
]);
