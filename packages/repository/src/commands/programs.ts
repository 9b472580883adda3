import type { Language } from "@agent-checkpoint/reports";

/** What a command is for. */
export type CommandKind = "test" | "types" | "lint" | "format" | "build" | "migrate" | "generate" | "run" | "other";

/** Programs that do one kind of work. */
interface Program {
  readonly kind: CommandKind;
  readonly languages: readonly Language[];
  /** The beginnings of the command, as patterns. */
  readonly starts: readonly string[];
}

function row(kind: CommandKind, languages: readonly Language[], ...starts: readonly string[]): Program {
  return { kind, languages, starts };
}

/** Programs by what they are for, the first match counts; a path before the program does not matter. */
const PROGRAMS: readonly Program[] = [
  row("test", ["javascript"], "rake \\S*qunit\\S*"),
  row("test", ["javascript"], "vitest", "jest", "mocha", "_mocha", "ava", "tape?", "karma", "jasmine", "qunit", "uvu"),
  row("test", ["javascript"], "playwright test", "cypress (?:run|open)", "react-scripts test", "ng test", "wtr"),
  row(
    "test",
    ["javascript"],
    "web-test-runner",
    "(?:node|tsx) .*--test\\b",
    "bun test",
    "deno test",
    "ember (?:test|exam)",
  ),
  row(
    "test",
    ["javascript"],
    "(?:node|tsx|ts-node|bun) \\S*(?:jest|mocha|vitest|runtests?|run-tests?)\\S*",
    "testem",
    "grunt test",
  ),
  row(
    "test",
    ["javascript"],
    "turbo (?:run )?.*\\btest",
    "nx (?:run-many|affected).*\\btest",
    "nx test",
    "lerna run test",
    "moon (?:run )?\\S*:test",
  ),
  row(
    "test",
    ["python"],
    "pytest",
    "py\\.test",
    "tox",
    "nox",
    "unittest",
    "nose2?",
    "nosetests",
    "hatch test",
    "manage\\.py test",
    "stestr",
    "trial",
    "behave",
  ),
  row("test", ["python"], "run[-_]?tests?\\.py", "django-admin test"),
  row(
    "test",
    ["rust"],
    "cargo (?:\\+\\S+ )?(?:test|t|nextest|hack .*\\btest|llvm-cov|insta test|make test|xtask test)\\b",
  ),
  row("test", ["go"], "go test", "gotestsum", "ginkgo"),
  row(
    "test",
    ["ruby"],
    "(?:parallel_|turbo_)?rspec",
    "rake (?:test|spec)\\b",
    "rails (?:test|spec)\\b",
    "cucumber",
    "ruby .*-I ?\\S*test",
  ),
  row("test", ["java"], "(?:gradlew?|mvnw?|mvnd)(?: .*)? \\S*(?:[tT]est|[cC]heck|build|verify|package|install)\\b"),
  row("test", ["scala"], "sbt .*\\btest", "mill .*\\btest", "scala-cli test"),
  row(
    "test",
    ["php"],
    "(?:simple-)?phpunit",
    "pest",
    "paratest",
    "(?:php )?artisan test",
    "codecept run",
    "behat",
    "phpspec run",
  ),
  row("test", ["dotnet"], "dotnet (?:test|vstest|nunit)", "xunit\\S*", "nunit\\S*"),
  row("test", ["elixir"], "mix (?:test|coveralls|espec)\\b"),
  row("test", ["erlang"], "rebar3 .*\\b(?:eunit|ct|proper)\\b"),
  row("test", ["swift"], "swift test", "xcodebuild .*\\btest\\b", "fastlane (?:scan|test)"),
  row("test", ["dart"], "(?:dart|flutter|very_good) (?:run )?test", "melos (?:run )?test"),
  row("test", ["c"], "ctest", "meson test", "ninja .*\\btest\\b", "cmake --build .*--target (?:test|check)\\b"),
  row("test", ["haskell"], "cabal .*\\btest", "stack .*\\btest"),
  row("test", ["ocaml"], "dune (?:runtest|test|build @runtest)"),
  row("test", ["zig"], "zig (?:build )?test"),
  row("test", ["lua"], "busted", "luaunit"),
  row("test", ["shell"], "bats", "shellspec", "shunit2"),
  row("test", ["solidity"], "forge test", "hardhat test"),
  row("test", ["terraform"], "(?:terraform|tofu) (?:-chdir=\\S+ )?test"),
  row("test", ["perl"], "prove"),
  row("test", ["julia"], "julia .*(?:Pkg\\.test|runtests)"),
  row("test", ["clojure"], "lein test", "clojure? .*:test", "kaocha"),
  row("test", [], "bazel(?:isk)? test", "buck2? test", "pants .*\\btest"),

  row("migrate", [], "prisma (?:migrate|db push)", "drizzle-kit (?:migrate|push)", "knex migrate", "alembic upgrade"),
  row(
    "migrate",
    [],
    "manage\\.py migrate",
    "(?:rails|rake) db:(?:migrate|prepare)",
    "(?:php )?artisan migrate",
    "mix ecto\\.migrate",
    "flyway migrate",
  ),
  row(
    "migrate",
    [],
    "sqlx migrate",
    "diesel migration",
    "goose .*up",
    "dbmate",
    "typeorm.* migration:run",
    "sequelize.* db:migrate",
  ),
  row("migrate", [], "(?:bin/)?console doctrine:migrations:migrate", "atlas migrate", "dotnet ef database update"),
  row(
    "generate",
    [],
    "prisma generate",
    "graphql-codegen",
    "buf generate",
    "sqlc generate",
    "protoc",
    "go generate",
    "openapi-\\S+",
    "orval",
    "oapi-codegen",
  ),
  row(
    "generate",
    [],
    "swagger-codegen",
    "(?:dart|flutter) (?:pub )?run build_runner",
    "relay-compiler",
    "cargo run .*schema",
    "go run .*(?:schema|gen)",
  ),

  row("types", ["javascript"], "(?:vue-|ember-)?tsc(?!-)", "flow(?: check)?$", "deno check", "svelte-check", "attw"),
  row("types", ["python"], "mypy", "pyright", "basedpyright", "ty check", "pyre", "pytype"),
  row("types", ["rust"], "cargo (?:\\+\\S+ )?check"),
  row("types", ["ruby"], "srb tc", "steep check"),
  row("types", ["php"], "phpstan", "psalm"),
  row("types", ["elixir"], "mix dialyzer"),
  row("types", ["erlang"], "rebar3 dialyzer"),
  row("types", ["terraform"], "(?:terraform|tofu) (?:-chdir=\\S+ )?validate"),

  row(
    "format",
    ["javascript"],
    "prettier .*(?:--check|-c|-l|--list-different)\\b",
    "oxfmt .*--check",
    "biome format(?! .*--write)",
    "deno fmt --check",
    "dprint check",
  ),
  row("format", ["python"], "ruff format .*(?:--check|--diff)", "black .*--check", "isort .*(?:--check|-c)"),
  row("format", ["rust"], "cargo (?:\\+\\S+ )?fmt .*--check"),
  row("format", ["go"], "gofmt .*-[ld]"),
  row("format", ["elixir"], "mix format .*--check-formatted"),
  row("format", ["dart"], "dart format .*--set-exit-if-changed"),
  row("format", ["terraform"], "(?:terraform|tofu) fmt .*-check"),
  row("format", ["c"], "clang-format .*(?:-n|--dry-run|-Werror)"),

  row(
    "lint",
    ["javascript"],
    "eslint(?! .*--fix)",
    "oxlint(?! .*--fix)",
    "biome (?:check|lint|ci)(?! .*(?:--write|--apply))",
    "xo",
    "standard",
    "deno lint",
    "stylelint(?! .*--fix)",
    "ng lint",
  ),
  row("lint", ["javascript"], "turbo (?:run )?lint", "nx .*\\blint"),
  row("lint", ["python"], "ruff check(?! .*--fix)", "ruff$", "flake8", "pylint", "pre-commit run"),
  row("lint", ["rust"], "cargo (?:\\+\\S+ )?clippy"),
  row("lint", ["go"], "golangci-lint", "staticcheck", "go vet", "revive"),
  row("lint", ["ruby"], "rubocop", "standardrb", "erb_?lint"),
  row("lint", ["java"], "(?:gradlew?) .*(?:ktlint|detekt|spotlessCheck|checkstyle)", "ktlint", "detekt"),
  row("lint", ["php"], "phpcs", "php-cs-fixer .*--dry-run", "pint --test"),
  row("lint", ["elixir"], "mix credo"),
  row("lint", ["swift"], "swiftlint"),
  row("lint", ["dart"], "(?:dart|flutter) analyze"),
  row("lint", ["shell"], "shellcheck"),
  row("lint", ["terraform"], "tflint"),
  row("lint", ["haskell"], "hlint"),

  row(
    "build",
    ["javascript"],
    "vite build",
    "webpack",
    "rollup",
    "next build",
    "tsup",
    "tsdown",
    "esbuild",
    "turbo (?:run )?build",
    "nx .*\\bbuild",
  ),
  row("build", ["rust"], "cargo (?:\\+\\S+ )?build"),
  row("build", ["go"], "go (?:build|install)"),
  row("build", ["c"], "cmake", "ninja", "meson (?:setup|compile)"),
  row("build", ["dotnet"], "dotnet build"),
  row("build", ["swift"], "swift build"),
  row("build", ["elixir"], "mix compile"),
  row("build", ["zig"], "zig build$"),
  row("build", [], "bazel(?:isk)? build", "docker build"),
];

const COMPILED = PROGRAMS.map(({ kind, languages, starts }) => ({
  kind,
  languages,
  pattern: new RegExp(`^(?:\\S*/)?(?:${starts.join("|")})(?![\\w-])`),
}));

/** What a program does, with the words by which it was recognised. */
export interface Recognised {
  readonly kind: CommandKind;
  readonly languages: readonly Language[];
  /** Its words without the path before the program. */
  readonly words: string;
  readonly call: string;
}

/** Options by which a runner lists, explains or installs instead of running. */
const NOT_A_RUN =
  / (?:--help|--version|--collect-only|--list-tests|--dry-run|--no-run|-DskipTests|--listTests|install-deps|install)\b/;

/** What a command does, if its program is known. */
export function recognise(command: string): Recognised | null {
  const bare = command.replace(/^(?:(?:pnpm|yarn|bun)(?: run)?|npm run) (?=\S)/, "");
  for (const line of command === bare ? [command] : [command, bare]) {
    for (const { kind, languages, pattern } of COMPILED) {
      const match = pattern.exec(line);
      if (match !== null && !(kind === "test" && !/^\S*(?:mvn|gradle)/.test(line) && NOT_A_RUN.test(line)))
        return { kind, languages, words: match[0].replace(/^\S*\//, ""), call: match[0] };
    }
  }
  return null;
}

/** Words in the name of a script or target that tell its language. */
const NAME_WORDS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:js|ts|javascript|typescript|node|frontend|ui|client|jest|vitest|web)$/, "javascript"],
  [/^(?:py|python|backend|pytest)$/, "python"],
  [/^(?:rust|cargo|rs)$/, "rust"],
  [/^(?:go|golang)$/, "go"],
  [/^(?:ruby|rb|rspec)$/, "ruby"],
  [/^(?:php|phpunit)$/, "php"],
  [/^(?:java|kotlin|jvm)$/, "java"],
];

/** The words of a script's or target's name. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The languages that a name tells. */
export function languagesOfName(name: string): readonly Language[] {
  return nameWords(name).flatMap((word) =>
    NAME_WORDS.filter(([pattern]) => pattern.test(word)).map(([, language]) => language),
  );
}

/** What a name alone tells, if the body says nothing. */
export function kindOfName(name: string): CommandKind {
  const words = nameWords(name);
  const [first = ""] = words;
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (/^(?:tests?|specs?|runtests?|pytest|rspec|unittests?|phpunit|eunit|ct)$/.test(first)) return "test";
  if (
    words.length === 2 &&
    /^(?:tests?|specs?)$/.test(words[1] ?? "") &&
    /^(?:unit|run|all|ci|integration|js|py|go|rust|web|api|e2e|cargo|python|backend|frontend)$/.test(first)
  )
    return "test";
  if (has(/^(?:typecheck|types|tsc|mypy|typing)$/) || /^(?:type-?check|check-?types)/.test(words.join("-")))
    return "types";
  if (first === "lint" && !has(/^fix$/)) return "lint";
  if (/^(?:format|fmt)-check|^check-(?:format|fmt)/.test(words.join("-"))) return "format";
  if (has(/^(?:migrate|migrations?)$/) && !has(/^(?:test|make|create|new|down|rollback|status)$/)) return "migrate";
  if (has(/^(?:generate|codegen|jsonschema|schema|proto|protobuf|gen)$/) && !has(/^(?:clean|docs?|check)$/))
    return "generate";
  if (/^(?:build|compile|dist)$/.test(first)) return "build";
  if (/^(?:start|dev|serve|run|watch)$/.test(first)) return "run";
  return "other";
}
