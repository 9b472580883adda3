import { describe, expect, test } from "vitest";
import { runFromRoot, testAreas } from "./test-areas.ts";
import { factsOf } from "./testing/facts-of.ts";

type Files = Readonly<Record<string, string>>;

/** What is asked for, by language; a language without a command is null. */
async function runsOf(files: Files): Promise<Readonly<Record<string, string | null>>> {
  const areas = testAreas(await factsOf(files));
  return Object.fromEntries(areas.map(({ language, runs }) => [language, runs.map(runFromRoot).join(" | ") || null]));
}

interface Row {
  readonly repository: string;
  readonly files: Files;
  readonly runs: Readonly<Record<string, string | null>>;
}

function script(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ scripts, ...more });
}

function workflow(...lines: readonly string[]): string {
  return `jobs:\n  test:\n    steps:\n${lines.map((line) => `      - run: ${line}\n`).join("")}`;
}

describe("stacks", () => {
  const rows: readonly Row[] = [
    {
      repository: "Node with npm",
      files: { "package.json": script({ test: "mocha" }), "index.js": "" },
      runs: { javascript: "npm test" },
    },
    {
      repository: "Node with a script that says there is no test",
      files: { "package.json": script({ test: 'echo "Error: no test specified" && exit 1' }), "index.js": "" },
      runs: { javascript: null },
    },
    {
      repository: "bun without a script",
      files: { "package.json": "{}", "bun.lock": "", "src/a.test.ts": "" },
      runs: { javascript: "bun test" },
    },
    {
      repository: "a pnpm workspace without a script at its root",
      files: {
        "package.json": "{}",
        "pnpm-workspace.yaml": "",
        "packages/a/package.json": script({ test: "vitest" }),
        "packages/a/a.ts": "",
      },
      runs: { javascript: "pnpm -r run test" },
    },
    {
      repository: "a workspace with turbo",
      files: {
        "package.json": '{ "workspaces": ["packages/*"] }',
        "turbo.json": "{}",
        "packages/a/package.json": script({ test: "vitest" }),
        "packages/a/a.ts": "",
      },
      runs: { javascript: "npx turbo run test" },
    },
    {
      repository: "a workspace with nx",
      files: {
        "package.json": '{ "workspaces": ["packages/*"] }',
        "nx.json": "{}",
        "packages/a/package.json": script({ test: "jest" }),
        "packages/a/a.ts": "",
      },
      runs: { javascript: "npx nx run-many -t test" },
    },
    {
      repository: "a workspace of Yarn 1 in which one package has tests",
      files: {
        "package.json": '{ "workspaces": ["packages/*"] }',
        "yarn.lock": "",
        "packages/a/package.json": script({ test: "jest" }),
        "packages/b/package.json": "{}",
        "packages/a/a.ts": "",
      },
      runs: { javascript: "cd packages/a && yarn test" },
    },
    {
      repository: "Deno with a task",
      files: { "deno.json": '{ "tasks": { "test": "deno test -A" } }', "src/a_test.ts": "", "src/a.ts": "" },
      runs: { javascript: "deno task test" },
    },
    {
      repository: "Deno without a task",
      files: { "deno.jsonc": "{ /* none */ }", "src/a.test.ts": "" },
      runs: { javascript: "deno test" },
    },
    {
      repository: "Python with uv and pytest",
      files: { "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8"]', "uv.lock": "", "tests/test_a.py": "" },
      runs: { python: "uv run pytest" },
    },
    {
      repository: "Python with unittest",
      files: { "setup.py": "", "tests/test_a.py": "import unittest\n" },
      runs: { python: "python -m unittest" },
    },
    {
      repository: "Python with a runner of its own",
      files: { "pyproject.toml": "", "tests/runtests.py": "", "tests/test_a.py": "", "tox.ini": "[tox]\n" },
      runs: { python: "tests/runtests.py" },
    },
    {
      repository: "Python with tox in CI",
      files: {
        "pyproject.toml": '[tool.tox]\nenv_list = ["py313"]\n[dependency-groups]\ndev = ["pytest"]',
        "tests/test_a.py": "",
        ".github/workflows/ci.yml": workflow("uv run --locked --group dev tox run"),
      },
      runs: { python: "tox" },
    },
    {
      repository: "Python with nox in CI",
      files: {
        "pyproject.toml": '[project]\ndependencies = ["pytest"]',
        "noxfile.py": "@nox.session\ndef tests(session):\n    pass\n",
        "tests/test_a.py": "",
        ".github/workflows/ci.yml": workflow("nox -s tests"),
      },
      runs: { python: "nox -s tests" },
    },
    {
      repository: "Python with poe",
      files: { "pyproject.toml": '[tool.poe.tasks]\ntest = "pytest -q"\nlint = "ruff check"', "tests/test_a.py": "" },
      runs: { python: "poe test" },
    },
    {
      repository: "Python with poe in an environment of uv",
      files: { "pyproject.toml": '[tool.poe.tasks]\ntest = "pytest -q"', "uv.lock": "", "tests/test_a.py": "" },
      runs: { python: "uv run poe test" },
    },
    {
      repository: "Python with pdm scripts",
      files: { "pyproject.toml": '[tool.pdm.scripts]\ntest = "pytest"', "tests/test_a.py": "" },
      runs: { python: "pdm run test" },
    },
    {
      repository: "Python with a script of hatch",
      files: { "pyproject.toml": '[tool.hatch.envs.default.scripts]\ntest = "pytest {args}"', "tests/test_a.py": "" },
      runs: { python: "hatch run test" },
    },
    {
      repository: "Python with pixi",
      files: { "pixi.toml": '[tasks]\ntest = "pytest"', "tests/test_a.py": "" },
      runs: { python: "pixi run test" },
    },
    {
      repository: "Django",
      files: { "manage.py": "", "requirements.txt": "django", "orders/tests.py": "" },
      runs: { python: "python manage.py test" },
    },
    {
      repository: "Python with tests and no sign of a runner",
      files: { "requirements.txt": "", "tests/test_a.py": "def test_a(): pass\n" },
      runs: { python: null },
    },
    {
      repository: "a Rust workspace with a package at its root",
      files: {
        "Cargo.toml": '[package]\nname = "a"\n[workspace]\nmembers = ["crates/*"]',
        "src/main.rs": "#[cfg(test)]\nmod tests {}\n",
      },
      runs: { rust: "cargo test --workspace" },
    },
    {
      repository: "Rust with nextest",
      files: { "Cargo.toml": "", ".config/nextest.toml": "", "tests/a.rs": "" },
      runs: { rust: "cargo nextest run" },
    },
    {
      repository: "Rust with cargo-make",
      files: { "Cargo.toml": "", "Makefile.toml": '[tasks.test]\ncommand = "cargo"', "tests/a.rs": "" },
      runs: { rust: "cargo make test" },
    },
    {
      repository: "Rust without tests",
      files: { "Cargo.toml": "", "src/main.rs": "fn main() {}" },
      runs: { rust: null },
    },
    { repository: "Go", files: { "go.mod": "", "a_test.go": "" }, runs: { go: "go test ./..." } },
    {
      repository: "Go with Taskfile",
      files: { "go.mod": "", "a_test.go": "", "Taskfile.yml": "tasks:\n  test:\n    cmds:\n      - go test ./..." },
      runs: { go: "task test" },
    },
    {
      repository: "Gradle and Maven side by side",
      files: { "build.gradle": "", gradlew: "", "pom.xml": "", mvnw: "", "src/test/java/ATest.java": "" },
      runs: { java: "./gradlew test" },
    },
    {
      repository: "Maven",
      files: { "pom.xml": "", "src/test/java/ATest.java": "" },
      runs: { java: "mvn test" },
    },
    {
      repository: "Scala with Gradle",
      files: { "build.gradle": "", gradlew: "", "src/test/scala/ASpec.scala": "", "src/main/scala/A.scala": "" },
      runs: { scala: "./gradlew test", java: null },
    },
    {
      repository: "Dart with melos",
      files: {
        "melos.yaml": "scripts:\n  test: melos exec -- dart test",
        "packages/a/pubspec.yaml": "",
        "packages/a/test/a_test.dart": "",
      },
      runs: { dart: "melos run test" },
    },
    { repository: "Scala", files: { "build.sbt": "", "src/test/scala/ASpec.scala": "" }, runs: { scala: "sbt test" } },
    {
      repository: "Rails with a package.json that has nothing to test",
      files: {
        Gemfile: "",
        "package.json": script({ build: "esbuild" }),
        "config/application.rb": "",
        "app/a.rb": "",
        "test/a_test.rb": "",
        "app/javascript/a.js": "",
        "app/javascript/b.js": "",
        "app/javascript/c.js": "",
      },
      runs: { ruby: "bin/rails test", javascript: null },
    },
    {
      repository: "a gem with rspec and a binstub",
      files: { Gemfile: "", "bin/rspec": "", "spec/a_spec.rb": "" },
      runs: { ruby: "bin/rspec" },
    },
    {
      repository: "Laravel with assets",
      files: {
        "composer.json": JSON.stringify({ scripts: { test: ["@php artisan test"] } }),
        artisan: "",
        "package.json": script({ build: "vite build" }),
        "app/A.php": "",
        "tests/ATest.php": "",
      },
      runs: { php: "composer test" },
    },
    {
      repository: "Symfony",
      files: { "composer.json": "{}", "phpunit.xml.dist": "", "tests/ATest.php": "" },
      runs: { php: "vendor/bin/phpunit" },
    },
    {
      repository: "pest",
      files: { "composer.json": '{ "require-dev": { "pestphp/pest": "^3" } }', "tests/ATest.php": "" },
      runs: { php: "vendor/bin/pest" },
    },
    {
      repository: ".NET",
      files: { "App.sln": "", "src/App/App.csproj": "", "tests/App.Tests/ATests.cs": "" },
      runs: { dotnet: "dotnet test" },
    },
    {
      repository: "Phoenix with assets that are tested",
      files: {
        "mix.exs": "",
        "lib/a.ex": "",
        "lib/b.ex": "",
        "test/a_test.exs": "",
        "package.json": script({ test: "jest" }),
        "assets/a.js": "",
      },
      runs: { elixir: "mix test", javascript: "npm test" },
    },
    { repository: "Erlang", files: { "rebar.config": "", "test/a_SUITE.erl": "" }, runs: { erlang: "rebar3 ct" } },
    {
      repository: "Swift",
      files: { "Package.swift": "", "Sources/A/A.swift": "", "Tests/ATests/ATests.swift": "" },
      runs: { swift: "swift test" },
    },
    { repository: "Dart", files: { "pubspec.yaml": "name: a", "test/a_test.dart": "" }, runs: { dart: "dart test" } },
    {
      repository: "Flutter",
      files: { "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter", "test/a_test.dart": "" },
      runs: { dart: "flutter test" },
    },
    {
      repository: "C with CMake",
      files: { "CMakeLists.txt": "", "src/a.cpp": "", "tests/a.cpp": "" },
      runs: { c: "ctest --test-dir build" },
    },
    {
      repository: "C with Meson",
      files: { "meson.build": "", "src/a.c": "", "tests/a.c": "" },
      runs: { c: "meson test -C build" },
    },
    {
      repository: "C with autotools",
      files: { "configure.ac": "", "src/a.c": "", "tests/a.c": "" },
      runs: { c: "make check" },
    },
    {
      repository: "C with a script that runs the tests",
      files: { Makefile: "all:\n", runtest: "#!/bin/sh\n", "src/a.c": "", "tests/unit/a.tcl": "" },
      runs: { c: "./runtest" },
    },
    {
      repository: "Haskell with stack",
      files: { "stack.yaml": "", "test/Spec.hs": "" },
      runs: { haskell: "stack test" },
    },
    { repository: "Haskell with cabal", files: { "a.cabal": "", "test/Spec.hs": "" }, runs: { haskell: "cabal test" } },
    { repository: "OCaml", files: { "dune-project": "", "test/test_a.ml": "" }, runs: { ocaml: "dune runtest" } },
    {
      repository: "Rust whose CI tests all features",
      files: {
        "Cargo.toml": '[workspace]\nmembers = ["a"]',
        "a/tests/a.rs": "",
        ".github/workflows/ci.yml": "jobs:\n  t:\n    steps:\n      - run: cargo test --all-features\n",
      },
      runs: { rust: "cargo test --workspace --all-features" },
    },
    { repository: "Zig", files: { "build.zig": "", "src/main.zig": "" }, runs: { zig: "zig build test" } },
    {
      repository: "Bazel",
      files: { "MODULE.bazel": "", "a/BUILD": "", "a/a.go": "", "a/a_test.go": "" },
      runs: { go: "bazel test //..." },
    },
    {
      repository: "Terraform",
      files: { "main.tf": "", "modules/a/main.tf": "" },
      runs: { terraform: "terraform validate" },
    },
    {
      repository: "Terraform with tests",
      files: { "main.tf": "", "tests/a.tftest.hcl": "" },
      runs: { terraform: "terraform test" },
    },
    { repository: "bats", files: { "bin/a.sh": "", "b.sh": "", "test/a.bats": "" }, runs: { shell: "bats test" } },
    { repository: "Lua with busted", files: { ".busted": "", "spec/a_spec.lua": "" }, runs: { lua: "busted" } },
    { repository: "Solidity", files: { "foundry.toml": "", "test/A.t.sol": "" }, runs: { solidity: "forge test" } },
    { repository: "Perl", files: { "Makefile.PL": "", "t/a.t": "" }, runs: { perl: "prove -lr t" } },
    { repository: "Clojure", files: { "project.clj": "", "test/a_test.clj": "" }, runs: { clojure: "lein test" } },
    {
      repository: "Erlang with erlang.mk",
      files: { Makefile: "include erlang.mk\n", "erlang.mk": "tests:: ct\n", "src/a.erl": "", "test/a_SUITE.erl": "" },
      runs: { erlang: "make tests" },
    },
    {
      repository: "C with autotools and a target of its own",
      files: { "configure.ac": "", "Makefile.am": "test:\n\tcd tests; make\n", "lib/a.c": "", "tests/unit1.c": "" },
      runs: { c: "make test" },
    },
    {
      repository: "C whose tests are scripts of the shell",
      files: {
        Makefile: "test: all\n\tmake -C t/ all\n",
        "meson.build": "",
        "a.c": "",
        "b.c": "",
        "t/t0001-a.sh": "",
        "t/t0002-b.sh": "",
        "t/t0003-c.sh": "",
      },
      runs: { c: "make test" },
    },
    {
      repository: "Go with a workspace whose root is a module",
      files: { "go.mod": "", "go.work": "use (\n\t.\n\t./api\n)", "api/go.mod": "", "a.go": "", "a_test.go": "" },
      runs: { go: "go test ./... ./api/..." },
    },
    {
      repository: "Python with spin",
      files: {
        "pyproject.toml": '[tool.spin.commands]\n"Build" = ["spin.cmds.meson.build", "spin.cmds.meson.test"]\n',
        "a.py": "",
        "b/tests/test_a.py": "",
      },
      runs: { python: "spin test" },
    },
    {
      repository: "Java with Ant",
      files: {
        "build.xml": '<project><target name="compile"/><target name="test" depends="compile"/></project>',
        "A.java": "",
      },
      runs: { java: "ant test" },
    },
    {
      repository: "Scala and Java with sbt",
      files: {
        "build.sbt": "",
        "src/main/scala/A.scala": "",
        "src/test/scala/ASpec.scala": "",
        "src/main/java/B.java": "",
        "src/test/java/BTest.java": "",
      },
      runs: { scala: "sbt test", java: "sbt test" },
    },
    {
      repository: ".NET with two solutions in a folder",
      files: { "Src/App.Net20.sln": "", "Src/App.sln": "", "Src/App.Tests/ATests.cs": "" },
      runs: { dotnet: "cd Src && dotnet test App.sln" },
    },
    {
      repository: "Haskell with several packages",
      files: { "cabal.project": "", "a/a.cabal": "", "a/src/A.hs": "", "a/test/Spec.hs": "" },
      runs: { haskell: "cabal test all" },
    },
    {
      repository: "Kotlin for several platforms",
      files: { "build.gradle.kts": "", gradlew: "", "lib/src/commonMain/A.kt": "", "lib/src/commonTest/ATest.kt": "" },
      runs: { java: "./gradlew allTests" },
    },
    {
      repository: "Swift with Xcode",
      files: {
        "App.xcodeproj/project.pbxproj": "",
        "App.xcodeproj/xcshareddata/xcschemes/App.xcscheme": "",
        "App/A.swift": "",
        "AppTests/ATests.swift": "",
      },
      runs: { swift: "xcodebuild test -scheme App" },
    },
    {
      repository: "Swift with fastlane",
      files: {
        Gemfile: "",
        "fastlane/Fastfile": "lane :tests do\n  run_tests\nend\n",
        "App/A.swift": "",
        "AppTests/ATests.swift": "",
      },
      runs: { swift: "bundle exec fastlane tests" },
    },
    {
      repository: "Dart with melos in its pubspec.yaml",
      files: {
        "pubspec.yaml": "melos:\n  scripts:\n    test: melos exec -- dart test",
        "packages/a/pubspec.yaml": "",
        "packages/a/test/a_test.dart": "",
      },
      runs: { dart: "melos run test" },
    },
    {
      repository: "C with CMake whose tests have other names",
      files: { "CMakeLists.txt": "enable_testing()\n", "src/a.cpp": "", "src/a_check.cpp": "" },
      runs: { c: "ctest --test-dir build" },
    },
    {
      repository: "OCaml with tests as shell sessions",
      files: {
        "dune-project": "",
        "src/a.ml": "",
        "test/test_a.ml": "",
        "test/cases/a.t": "",
        "test/cases/b.t": "",
        "test/c.t": "",
      },
      runs: { ocaml: "dune runtest" },
    },
    {
      repository: "Go that Bazel builds",
      files: { "MODULE.bazel": "", ".bazelrc": "", "go.mod": "", "a/a.go": "", "a/a_test.go": "" },
      runs: { go: "bazel test //..." },
    },
    {
      repository: "C with CMake that Bazel can build as well",
      files: {
        "MODULE.bazel": "",
        "CMakeLists.txt": "",
        "a/a.cc": "",
        "a/a_test.cc": "",
        "ci/test_a.sh": "",
        "ci/b.sh": "",
        "ci/c.sh": "",
      },
      runs: { c: "ctest --test-dir build", shell: null },
    },
    {
      repository: "Android whose CI tests one variant",
      files: {
        "settings.gradle.kts": "",
        gradlew: "",
        "app/build.gradle.kts": "",
        "app/src/main/kotlin/A.kt": "",
        "app/src/test/kotlin/ATest.kt": "",
        ".github/workflows/ci.yml": workflow("./gradlew :app:lintDebug", "./gradlew testDemoDebug :lint:test"),
      },
      runs: { java: "./gradlew testDemoDebug" },
    },
    {
      repository: "Gradle whose CI runs a part of the tests beside all of them",
      files: {
        "build.gradle": "",
        gradlew: "",
        "src/test/java/ATest.java": "",
        ".github/workflows/ci.yml": workflow("./gradlew testFast", "./gradlew check"),
      },
      runs: { java: "./gradlew test" },
    },
    {
      repository: "Python with the tests of hatch",
      files: {
        "pyproject.toml": "",
        "hatch.toml": "[envs.hatch-test]\nextra-dependencies = []",
        "a.py": "",
        "tests/conftest.py": "",
      },
      runs: { python: "hatch test" },
    },
    {
      repository: "Python with an environment of hatch for tests",
      files: { "pyproject.toml": '[tool.hatch.envs.test.scripts]\nrun = "pytest"', "tests/test_a.py": "" },
      runs: { python: "hatch run test:run" },
    },
    {
      repository: "a workspace with lerna",
      files: {
        "package.json": '{ "workspaces": ["packages/*"] }',
        "lerna.json": "{}",
        "yarn.lock": "",
        "packages/a/package.json": script({ test: "jest" }),
        "packages/a/a.ts": "",
      },
      runs: { javascript: "yarn lerna run test" },
    },
    {
      repository: "a workspace with moon",
      files: {
        "package.json": '{ "workspaces": ["packages/*"] }',
        ".moon/workspace.yml": "",
        "packages/a/package.json": script({ test: "vitest" }),
        "packages/a/a.ts": "",
      },
      runs: { javascript: "moon run :test" },
    },
    {
      repository: "packages of Dart and of Flutter",
      files: Object.fromEntries(
        ["a", "b", "c", "d"].flatMap((name, index) => [
          [
            `packages/${name}/pubspec.yaml`,
            index % 2 === 0 ? "name: a" : "dependencies:\n  flutter:\n    sdk: flutter",
          ],
          [`packages/${name}/test/a_test.dart`, ""],
        ]),
      ),
      runs: { dart: "cd packages/a && dart test | cd packages/b && flutter test" },
    },
    {
      repository: "a plugin of Flutter with code of a platform",
      files: {
        "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter",
        "test/a_test.dart": "",
        "lib/a.dart": "",
        "lib/b.dart": "",
        "android/build.gradle": "",
        "android/src/test/java/ATest.java": "",
        "windows/CMakeLists.txt": "enable_testing()\n",
        "windows/test/a_test.cpp": "",
      },
      runs: { dart: "flutter test", java: null, c: null },
    },
    {
      repository: "a Makefile that is made in two steps",
      files: {
        "configure.ac": "",
        "Makefile.pre.in": "test: all\n\t$(TESTRUNNER) --fast-ci\n",
        "Lib/a.py": "",
        "Lib/b.py": "",
        "Lib/test/test_a.py": "",
      },
      runs: { python: "make test" },
    },
    {
      repository: "Zig without a step for tests",
      files: { "build.zig": 'const run = b.step("run", "Run");\n', "src/main.zig": 'test "a" {}\n' },
      runs: { zig: null },
    },
    {
      repository: "Clojure with deps.edn",
      files: {
        "deps.edn": '{:aliases {:test {:extra-paths ["test"] :exec-fn a.api/test}}}',
        "src/a.clj": "",
        "test/a_test.clj": "",
      },
      runs: { clojure: "clojure -X:test" },
    },
    {
      repository: "Crystal",
      files: { "shard.yml": "", "src/a.cr": "", "spec/a_spec.cr": "" },
      runs: { crystal: "crystal spec" },
    },
    {
      repository: "Gleam",
      files: { "gleam.toml": "", "src/a.gleam": "", "test/a_test.gleam": "" },
      runs: { gleam: "gleam test" },
    },
    {
      repository: "Elm",
      files: { "elm.json": "", "src/A.elm": "", "tests/ATest.elm": "" },
      runs: { elm: "npx elm-test" },
    },
    {
      repository: "Vala with Meson",
      files: { "meson.build": "", "src/a.vala": "", "tests/a.vala": "" },
      runs: { c: "meson test -C build" },
    },
    { repository: "Nim", files: { "a.nimble": "", "src/a.nim": "", "tests/t1.nim": "" }, runs: { nim: "nimble test" } },
    {
      repository: "PowerShell with Pester",
      files: { "A.psd1": "", "src/A.ps1": "", "tests/A.Tests.ps1": "" },
      runs: { powershell: "Invoke-Pester" },
    },
    { repository: "notebooks", files: { "requirements.txt": "", "a.ipynb": "", "b.ipynb": "" }, runs: {} },
    { repository: "documents only", files: { "README.md": "", "docs/a.md": "" }, runs: {} },
  ];
  test.for(rows)("$repository", async ({ files, runs }) => {
    expect(await runsOf(files)).toEqual(runs);
  });
});

describe("which command is named", () => {
  const go = { "go.mod": "", "a_test.go": "" };
  const python = {
    "a.py": "",
    "b.py": "",
    "pyproject.toml": '[project]\ndependencies = ["pytest"]',
    "tests/test_a.py": "",
  };
  const rows: readonly Row[] = [
    {
      repository: "a target before the tool",
      files: { ...go, Makefile: "test:\n\tgo test ./...\n" },
      runs: { go: "make test" },
    },
    {
      repository: "a recipe before the tool",
      files: { ...go, justfile: "test *args:\n  go test {{args}}\n" },
      runs: { go: "just test" },
    },
    {
      repository: "a task of mise",
      files: { ...go, "mise.toml": '[tasks.test]\nrun = "go test ./..."' },
      runs: { go: "mise run test" },
    },
    {
      repository: "a target for CI only is none",
      files: { ...python, Makefile: "test-ci:\n\tpytest --cov\n" },
      runs: { python: "pytest" },
    },
    {
      repository: "check, if its body runs the tests",
      files: { "a.py": "", "b.py": "", Makefile: "check: lint suite\nlint:\n\truff check\nsuite:\n\tpytest\n" },
      runs: { python: "make check" },
    },
    {
      repository: "check, if its body lints",
      files: { "a.py": "", Makefile: "check:\n\truff check\n" },
      runs: { python: null },
    },
    {
      repository: "a script file",
      files: { ...python, "scripts/test.sh": "pytest\n" },
      runs: { python: "scripts/test.sh" },
    },
    {
      repository: "all unit tests before a part",
      files: {
        "go.work": "use (\n\t./a\n\t./b\n\t./c\n\t./d\n\t./e\n\t./f\n\t./g\n)",
        "a/go.mod": "",
        "a/a_test.go": "",
        Makefile: "test-unit-all:\ntest-go-mod:\n",
      },
      runs: { go: "make test-unit-all" },
    },
    {
      repository: "a script that calls others",
      files: {
        "package.json": script({ test: "npm run lint && npm run unit", lint: "eslint .", unit: "vitest run" }),
        "a.js": "",
      },
      runs: { javascript: "npm test" },
    },
    {
      repository: "a script that only checks types is no test",
      files: { "package.json": script({ "test:types": "tsc --noEmit" }), "a.ts": "" },
      runs: { javascript: null },
    },
    {
      repository: "the CI of GitLab decides",
      files: { ...python, "tox.ini": "[tox]\n", ".gitlab-ci.yml": "test:\n  script:\n    - tox run\n" },
      runs: { python: "tox" },
    },
    {
      repository: "the CI of CircleCI decides",
      files: {
        ...python,
        "tox.ini": "[tox]\n",
        ".circleci/config.yml": "jobs:\n  test:\n    steps:\n      - run:\n          command: tox run\n",
      },
      runs: { python: "tox" },
    },
    {
      repository: "the CI of Azure decides",
      files: { ...python, "tox.ini": "[tox]\n", "azure-pipelines.yml": "steps:\n  - script: tox run\n" },
      runs: { python: "tox" },
    },
    {
      repository: "the CI of Buildkite decides",
      files: { ...python, "tox.ini": "[tox]\n", ".buildkite/pipeline.yml": "steps:\n  - command: tox run\n" },
      runs: { python: "tox" },
    },
    {
      repository: "a guide decides where CI does not",
      files: { ...python, "tox.ini": "[tox]\n", "AGENTS.md": "Run `tox run` before you commit.\n" },
      runs: { python: "tox" },
    },
    {
      repository: "a runner that only a guide names is none",
      files: { "a.py": "", "tests/test_a.py": "", "README.md": "```sh\n$ pytest -x\n```\n" },
      runs: { python: null },
    },
    {
      repository: "a script of package.json that tests another language",
      files: { "package.json": script({ test: "./test/all" }), "a.sh": "", "b.sh": "" },
      runs: { shell: "npm test" },
    },
    {
      repository: "a target of an included file",
      files: { ...go, Makefile: "include Makefile.common\n", "Makefile.common": "test:\n\tgo test ./...\n" },
      runs: { go: "make test" },
    },
    {
      repository: "a folder before a CI step whose folder is a variable",
      files: { "src/go.mod": "", "src/a_test.go": "", ".github/workflows/ci.yml": workflow("go test ./...") },
      runs: { go: "cd src && go test ./..." },
    },
    {
      repository: "scripts of tools in hidden folders do not count",
      files: { ...go, ".claude/skills/a.py": "", ".claude/skills/b.py": "" },
      runs: { go: "go test ./..." },
    },
    {
      repository: "a runner that only CI names",
      files: {
        "a.py": "",
        "tests/test_a.py": "",
        ".github/workflows/ci.yml": workflow("pip install pytest", "python -m pytest -x"),
      },
      runs: { python: "pytest" },
    },
    {
      repository: "a target beside others in its line",
      files: { ...go, Makefile: "check test: all\n\tgo test ./...\n" },
      runs: { go: "make test" },
    },
    {
      repository: "a target of a Makefile that is made",
      files: { "configure.ac": "", "Makefile.in": "test: all\n\t./run\n", "a.c": "" },
      runs: { c: "make test" },
    },
    {
      repository: "a target of an included file whose folder is a variable",
      files: { Makefile: "include $(TOP)/main.mk\n", "main.mk": "test:\n\t./run\n", "a.c": "" },
      runs: { c: "make test" },
    },
    {
      repository: "a target that is a file",
      files: { Makefile: "tests/data/a.yuv:\n\ttouch $@\n", "a.c": "", "tests/a.c": "" },
      runs: { c: null },
    },
    {
      repository: "a program in a variable",
      files: { "a.py": "", "b.py": "", Makefile: "check:\n\t$(PYTHON) -m pytest\n" },
      runs: { python: "make check" },
    },
    {
      repository: "a target that CI makes and nobody tracks",
      files: { Configure: "", "a.c": "", "test/a.c": "", ".github/workflows/ci.yml": workflow("make -j4 test") },
      runs: { c: "make test" },
    },
    {
      repository: "a program of the repository that a guide calls with the word",
      files: {
        "x.py": "",
        "Cargo.toml": "",
        "src/a.rs": "",
        "src/b.rs": "",
        "tests/a.rs": "",
        "CONTRIBUTING.md": "Run `./x.py test tidy`.\n",
      },
      runs: { rust: "./x.py test" },
    },
    {
      repository: "a program that a guide calls and nobody tracks",
      files: { "Cargo.toml": "", "tests/a.rs": "", "CONTRIBUTING.md": "Run `./x.py test`.\n" },
      runs: { rust: "cargo test" },
    },
    {
      repository: "words of CI that only CI knows",
      files: { "a.java": "", ".github/workflows/ci.yml": workflow("mvn -B -P${{ matrix.p }} clean test") },
      runs: { java: "mvn clean test" },
    },
    {
      repository: "a script that only says something",
      files: {
        "package.json": script({ test: "echo Run a script of the folder scripts" }),
        "scripts/test.sh": "",
        "a.ts": "",
        "b.ts": "",
      },
      runs: { javascript: "scripts/test.sh" },
    },
    {
      repository: "tests of Python below a project that names the runner",
      files: {
        "pyproject.toml": '[dependency-groups]\ndev = ["pytest"]',
        "uv.lock": "",
        "core/pyproject.toml": "",
        "core/a.py": "",
        "core/tests/test_a.py": "",
      },
      runs: { python: "uv run pytest" },
    },
    {
      repository: "a folder with hardly a test beside a root that runs all",
      files: {
        Makefile: "test:\n\ttools/all\n",
        "tools/reporter/package.json": script({ test: "tap" }),
        ...Object.fromEntries(["a", "b", "c"].map((name) => [`lib/${name}.js`, ""])),
        ...Object.fromEntries(["a", "b", "c"].map((name) => [`test/${name}.test.js`, ""])),
      },
      runs: { javascript: "make test" },
    },
    {
      repository: "copies of libraries do not count",
      files: {
        "src/a.c": "",
        Makefile: "test:\n\t./run\n",
        ...Object.fromEntries(["a", "b", "c"].map((name) => [`deps/${name}.py`, ""])),
      },
      runs: { c: "make test" },
    },
    {
      repository: "applications of Erlang in the folder of libraries",
      files: { "erlang.mk": "", "deps/a/src/a.erl": "", "deps/a/test/a_SUITE.erl": "" },
      runs: { erlang: "make tests" },
    },
    {
      repository: "cases of tests in another language",
      files: {
        "run_tests.py": "",
        "a.py": "",
        "test cases/1 a/a.c": "",
        "test cases/1 a/meson.build": "",
        "test cases/1 a/tests/b.c": "",
      },
      runs: { python: "./run_tests.py" },
    },
    {
      repository: "samples in a folder with a capital letter",
      files: {
        "CMakeLists.txt": "",
        "a.c": "",
        "Tests/a.c": "",
        "tests/a.c": "",
        "Tests/app/App.csproj": "",
        "Tests/app/ATests.cs": "",
      },
      runs: { c: "ctest --test-dir build" },
    },
    {
      repository: "tests that are mostly scripts of the shell",
      files: {
        Makefile: "test: all\n\tmake -C t\n",
        ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [`src/${name}.c`, ""])),
        ...Object.fromEntries(["1", "2", "3", "4"].map((name) => [`t/t000${name}-a.sh`, ""])),
        "a.sh": "",
        "b.sh": "",
        "c.sh": "",
      },
      runs: { c: "make test", shell: "make test" },
    },
    {
      repository: "two folders, each with its own",
      files: {
        "api/pyproject.toml": '[project]\ndependencies = ["pytest"]',
        "api/a.py": "",
        "api/tests/test_a.py": "",
        "web/package.json": script({ test: "vitest" }),
        "web/a.ts": "",
      },
      runs: { python: "cd api && pytest", javascript: "cd web && npm test" },
    },
    {
      repository: "samples do not count",
      files: {
        "go.mod": "",
        "a.go": "",
        "a_test.go": "",
        "examples/web/package.json": script({ test: "vitest" }),
        "examples/web/a.js": "",
      },
      runs: { go: "go test ./..." },
    },
    {
      repository: "what others wrote does not count",
      files: { ...go, "vendor/a/package.json": script({ test: "mocha" }), "vendor/a/a.js": "", "third_party/b.rs": "" },
      runs: { go: "go test ./..." },
    },
    {
      repository: "a runner of Node that only CI names, as it is started",
      files: {
        "package.json": "{}",
        "package-lock.json": "",
        "e2e/a.spec.ts": "",
        "a.ts": "",
        ".github/workflows/ci.yml": workflow("npx playwright test --shard=1/4"),
      },
      runs: { javascript: "npx playwright test" },
    },
    {
      repository: "a runner of Ruby that only CI names, as it is started",
      files: {
        Gemfile: "",
        "lib/a.rb": "",
        "components/a/spec/a_spec.rb": "",
        ".github/workflows/ci.yml": workflow("bundle exec rspec components"),
      },
      runs: { ruby: "bundle exec rspec" },
    },
    {
      repository: "a script that watches gives way to the one for CI",
      files: { "package.json": script({ test: "jest --watch", "test:ci": "jest --ci" }), "a.js": "", "a.test.js": "" },
      runs: { javascript: "npm run test:ci" },
    },
    {
      repository: "programs in variables of the Makefile",
      files: { "a.py": "", "b.py": "", Makefile: "PY ?= python3\nRUN = $(PY) -m pytest\ncheck:\n\t$(RUN) -q\n" },
      runs: { python: "make check" },
    },
    {
      repository: "a target of which a part cannot be read",
      files: { ...go, "a.go": "", Makefile: "test:\n\t$(RUNNER) ./...\n\tcd web && npm test\n" },
      runs: { go: "make test" },
    },
    {
      repository: "what CI runs before a target that it does not run",
      files: {
        ...python,
        "tox.ini": "[tox]\n",
        Makefile: "test:\n\tpython setup.py test\n",
        ".github/workflows/ci.yml": workflow("tox --verbose"),
      },
      runs: { python: "tox" },
    },
    {
      repository: "a target for each language, and one for both",
      files: {
        ...go,
        "a.go": "",
        "a_test.go": "",
        "web/a.ts": "",
        "web/a.test.ts": "",
        "package.json": '{ "devDependencies": { "vitest": "3" } }',
        Makefile:
          "test: test-backend test-js\ntest-backend:\n\tgo list ./... | xargs go test -short\ntest-js:\n\tnpx vitest\n",
      },
      runs: { go: "go test ./...", javascript: "make test-js" },
    },
    {
      repository: "a word for the language in a name does not count against what it runs",
      files: {
        ...go,
        "a.go": "",
        "a_test.go": "",
        "pyproject.toml": '[project]\nname = "a"\n',
        Makefile: "test-backend:\n\tgo test ./...\n",
      },
      runs: { go: "go test ./..." },
    },
    {
      repository: "scripts for each language that CI runs",
      files: {
        "manage.py": "",
        "a.py": "",
        "b.py": "",
        "tests/test_a.py": "",
        "package.json": "{}",
        "web/a.ts": "",
        "web/a.test.ts": "",
        "tools/test-backend": "",
        "tools/test-js-with-node": "",
        "tools/test-all": "",
        ".github/workflows/ci.yml": workflow("./tools/test-backend --coverage", "./tools/test-js-with-node"),
      },
      runs: { python: "tools/test-backend", javascript: "tools/test-js-with-node" },
    },
    {
      repository: "a script of the repository that has an option for tests",
      files: {
        "A.sln": "",
        "src/A.cs": "",
        "test/ATests.cs": "",
        "eng/build.sh": "",
        "azure-pipelines.yml": "steps:\n  - script: ./eng/build.sh --ci --test --no-build\n",
      },
      runs: { dotnet: "./eng/build.sh --test" },
    },
    {
      repository: "a script for CI, which gets its settings from there, beside a known runner",
      files: {
        ...python,
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "ci/run_tests.sh": "pytest $TARGET\n",
        ".github/workflows/ci.yml": workflow("ci/run_tests.sh", "python -m pytest -x"),
      },
      runs: { python: "pytest" },
    },
    {
      repository: "a script that is called by its shell",
      files: {
        Gemfile: "",
        Rakefile: "Rake::TestTask.new(:test)\n",
        "lib/a.rb": "",
        "test/a_test.rb": "",
        "script/test": "bundle exec rake\n",
        ".github/workflows/ci.yml": workflow("bash script/test"),
      },
      runs: { ruby: "script/test" },
    },
    {
      repository: "a script with the name of its runner",
      files: { "package.json": script({ jest: "jest", "jest:ci": "jest --ci" }), "a.js": "", "a.test.js": "" },
      runs: { javascript: "npm run jest" },
    },
    {
      repository: "the solution that CI tests",
      files: {
        "All.slnx": "",
        "Web.slnf": "",
        "src/A.cs": "",
        "tests/ATests.cs": "",
        ".github/workflows/ci.yml": workflow("dotnet test Web.slnf --no-build"),
      },
      runs: { dotnet: "dotnet test Web.slnf" },
    },
    {
      repository: "the targets of a magefile",
      files: {
        ...go,
        "a.go": "",
        "a_test.go": "",
        "magefile.go": "// Test runs the tests.\nfunc Test() error {\nfunc build() {\n",
        ".github/workflows/ci.yml": workflow("mage -v test"),
      },
      runs: { go: "mage test" },
    },
    {
      repository: "the aliases of Clojure that a guide names",
      files: {
        "deps.edn": "{:aliases {:dev {} :test {:exec-fn a/b}}}",
        "src/a.clj": "",
        "test/a_test.clj": "",
        "CONTRIBUTING.md": "Run `clojure -X:dev:test`.\n",
        ".github/workflows/ci.yml": workflow("clojure -X:dev:ci:test"),
      },
      runs: { clojure: "clojure -X:dev:test" },
    },
    {
      repository: "unit tests before a script that starts a browser as well",
      files: {
        "package.json": script({ test: "npm run test-unit && cypress run", "test-unit": "jest" }),
        "a.js": "",
        "a.test.js": "",
      },
      runs: { javascript: "npm run test-unit" },
    },
    {
      repository: "a server among the tests that a target starts",
      files: {
        "composer.json": '{ "require-dev": { "phpunit/phpunit": "8" } }',
        "src/A.php": "",
        "tests/ATest.php": "",
        "tests/server.js": "",
        Makefile: "start:\n\tnode tests/server.js &\ntest: start\n\tvendor/bin/phpunit\n",
        ".github/workflows/ci.yml": workflow("make test"),
      },
      runs: { php: "make test" },
    },
    {
      repository: "an xtask that a guide names",
      files: {
        "Cargo.toml": '[workspace]\nmembers = ["a", "xtask"]\n',
        "a/Cargo.toml": "",
        "a/src/lib.rs": "#[test]\nfn a() {}\n",
        "xtask/Cargo.toml": "",
        "xtask/src/main.rs": "",
        ".cargo/config.toml": '[alias]\nxtask = "run --package xtask --"\n',
        "CONTRIBUTING.md": "```sh\ncargo xtask test\n```\n",
      },
      runs: { rust: "cargo xtask test" },
    },
    {
      repository: "a check in CI whose name only sounds like a test",
      files: {
        "build.sbt": "",
        "core/src/main/scala/A.scala": "",
        "core/src/test/scala/ASuite.scala": "",
        ".github/workflows/ci.yml": workflow(
          "sbt 'project ${{ matrix.project }}' '++ ${{ matrix.scala }}' headerCheckAll scalafmtCheckAll",
        ),
      },
      runs: { scala: "sbt test" },
    },
    {
      repository: "a script that only says where the tests are, over packages with tests",
      files: {
        "package.json": script({ test: "echo 'not from the root' && exit 1" }, { workspaces: ["packages/*"] }),
        "bun.lock": "",
        "turbo.json": "{}",
        "packages/a/package.json": script({ test: "bun test" }),
        "packages/a/a.ts": "",
        "packages/a/a.test.ts": "",
      },
      runs: { javascript: "bunx turbo run test" },
    },
    {
      repository: "contracts whose tests are written in JavaScript and in their own language",
      files: {
        "package.json": script({ test: ". scripts/memory.sh && hardhat test", "test:generation": "scripts/check.sh" }),
        "hardhat.config.js": "",
        "foundry.toml": "",
        "contracts/A.sol": "",
        "test/A.t.sol": "",
        "test/A.test.js": "",
        "test/B.test.js": "",
        "scripts/check.sh": "",
        ".github/workflows/ci.yml": workflow("npm run test", "npm run test:generation"),
      },
      runs: { javascript: "npm test", solidity: "forge test" },
    },
    {
      repository: "erlang.mk beside the settings of rebar3, which other projects read",
      files: {
        "erlang.mk": "",
        "rebar.config": "",
        Makefile: "PROJECT = a\ninclude erlang.mk\n",
        "src/a.erl": "",
        "test/a_SUITE.erl": "",
      },
      runs: { erlang: "make tests" },
    },
    {
      repository: "a target for everyone before the one for CI, where it does not watch",
      files: {
        "a.js": "",
        "test/a.js": "",
        Makefile: "test: all\n\t./configure && ./tools/suite\ntest-ci:\n\t./tools/suite --ci\n",
        ".github/workflows/ci.yml": workflow("make test-ci -j1"),
      },
      runs: { javascript: "make test" },
    },
    {
      repository: "a target that starts a test script of the repository beside a known runner of another language",
      files: {
        "lib/a.js": "",
        "lib/b.js": "",
        "test/test-a.js": "",
        "tools/a.py": "",
        "tools/test.py": "",
        Makefile: "test:\n\tpython -m unittest discover -s test/tools\n\tpython tools/test.py --all\n",
      },
      runs: { javascript: "make test" },
    },
    {
      repository: "a compiler that the repository brings along",
      files: {
        "build.zig": 'b.step("test", "Run the tests");\n',
        "a.zig": "",
        "zig/download.sh": "",
        "CONTRIBUTING.md": "```console\n./zig/zig build test\n```\n",
      },
      runs: { zig: "./zig/zig build test" },
    },
    {
      repository: "tasks of a feature of pixi",
      files: {
        ...python,
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "pixi.toml": '[feature.test.tasks]\ntest-unit = "pytest a/tests"\n',
        ".github/workflows/ci.yml": workflow("pixi run -e ${{ matrix.environment }} test-unit $COV"),
      },
      runs: { python: "pixi run test-unit" },
    },
    {
      repository: "Bazel as a second way to build a library",
      files: {
        "CMakeLists.txt": "enable_testing()\n",
        "MODULE.bazel": "",
        "src/a.cpp": "",
        "tests/a_test.cpp": "",
        "tools/a.py": "",
        "tools/b.py": "",
        "tools/c.py": "",
        "tests/scripts/test_a.py": "",
      },
      runs: { c: "ctest --test-dir build", python: null },
    },
    {
      repository: "ginkgo, where CI runs all suites with it",
      files: {
        ...go,
        "a.go": "",
        "a_test.go": "",
        ".github/workflows/ci.yml": workflow("ginkgo -r ./test/e2e", "ginkgo -r --race"),
      },
      runs: { go: "ginkgo -r --race" },
    },
    {
      repository: "a task of rake in CI that is not the tests",
      files: {
        Gemfile: "",
        Rakefile: "",
        "lib/a.rb": "",
        "test/a_test.rb": "",
        ".github/workflows/ci.yml": workflow("bin/rake i18n:check"),
      },
      runs: { ruby: null },
    },
    {
      repository: "files that cannot be parsed",
      files: { "package.json": "{", "pyproject.toml": "= =", "Taskfile.yml": "a: [", "a.js": "" },
      runs: { javascript: null },
    },
  ];
  test.for(rows)("$repository", async ({ files, runs }) => {
    expect(await runsOf(files)).toEqual(runs);
  });
});

test("a folder that needs quotes has them", () => {
  expect(runFromRoot({ command: "npm test", folder: "my app" })).toBe('cd "my app" && npm test');
});

test("many projects with the same command are named once", async () => {
  const names = ["a", "b", "c", "d", "e"];
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`${name}/package.json`, script({ test: "jest" })],
      [`${name}/index.js`, ""],
    ]),
  );
  const [area] = testAreas(await factsOf(files));
  expect({ runs: area?.runs.map(runFromRoot), others: area?.others }).toEqual({
    runs: ["cd a && npm test"],
    others: ["b", "c", "d", "e"],
  });
});
