import type { Language } from "@agent-checkpoint/reports";
import { isNoTest } from "./commands/declared-commands.ts";
import { packageManager, pythonManager } from "./files/package-manager.ts";
import { dig, entriesOf, textsIn } from "./files/parsers.ts";
import { folderOf, isWithin, nameOf, pathIn, type Tree } from "./files/tree.ts";

/** A folder with a manifest. */
export interface Project {
  readonly folder: string;
  readonly language: Language;
  readonly manifest: string;
  readonly packageManager: string | null;
}

/** How the tools of a stack run tests by themselves, without a word of the repository. */
export interface StackTests {
  readonly command: string;
  /** The file that shows it. */
  readonly source: string;
}

/** What a stack may look at. */
export interface StackView {
  readonly tree: Tree;
  readonly folder: string;
  readonly manifest: string;
  /** The test files of the language in the folder. */
  readonly tests: readonly string[];
}

/** A stack: the files that show a project, and what runs its tests. */
export interface Stack {
  readonly language: Language;
  /** Names of manifests; a star stands for anything. */
  readonly manifests: string;
  readonly manager?: string | ((tree: Tree, folder: string) => string | null);
  /** The project's folder, if that is not the manifest's. */
  readonly home?: (manifest: string) => string;
  /** What runs the tests, as it is said in general. */
  readonly tests: string;
  /** What runs them in a folder, if that has to be looked at; else `tests`, where there are test files. */
  readonly run?: (view: StackView) => StackTests | null;
}

const GRADLE = "settings.gradle settings.gradle.kts build.gradle build.gradle.kts";

/** The stacks that are known, the first choice of a language first. */
export const STACKS: readonly Stack[] = [
  {
    language: "javascript",
    manifests: "package.json",
    manager: (tree, folder) => packageManager(tree, folder)?.name ?? "npm",
    tests: "the scripts of its packages, `bun test`",
    run: nodeTests,
  },
  { language: "javascript", manifests: "deno.json deno.jsonc", manager: "deno", tests: "deno test" },
  {
    language: "python",
    manifests: "pyproject.toml setup.py setup.cfg Pipfile requirements.txt manage.py",
    manager: pythonManager,
    tests: "pytest, `python manage.py test`, `python -m unittest`",
    run: pythonTests,
  },
  {
    language: "rust",
    manifests: "Cargo.toml",
    manager: "cargo",
    tests: "cargo test, `cargo nextest run`",
    run: rustTests,
  },
  {
    language: "go",
    manifests: "go.mod go.work",
    manager: (tree, folder) => (tree.has(pathIn(folder, "go.work")) ? "go-work" : "go"),
    tests: "go test ./...",
    run: goTests,
  },
  {
    language: "java",
    manifests: GRADLE,
    manager: "gradle",
    tests: "./gradlew test",
    run: jvmTests("gradlew", "gradle"),
  },
  { language: "java", manifests: "pom.xml", manager: "maven", tests: "./mvnw test", run: jvmTests("mvnw", "mvn") },
  { language: "java", manifests: "build.sbt", manager: "sbt", tests: "sbt test" },
  {
    language: "scala",
    manifests: GRADLE,
    manager: "gradle",
    tests: "./gradlew test",
    run: jvmTests("gradlew", "gradle"),
  },
  { language: "scala", manifests: "build.sbt", manager: "sbt", tests: "sbt test" },
  { language: "scala", manifests: "build.sc build.mill", manager: "mill", tests: "mill __.test" },
  {
    language: "ruby",
    manifests: "Gemfile *.gemspec",
    manager: "bundler",
    tests: "bundle exec rspec, `bin/rails test`, `bundle exec rake test`",
    run: rubyTests,
  },
  {
    language: "php",
    manifests: "composer.json",
    manager: "composer",
    tests: "vendor/bin/phpunit, `vendor/bin/pest`, `php artisan test`",
    run: phpTests,
  },
  {
    language: "dotnet",
    manifests: "*.sln *.slnx *.csproj *.fsproj *.vbproj",
    manager: "dotnet",
    tests: "dotnet test",
    run: dotnetTests,
  },
  { language: "elixir", manifests: "mix.exs", manager: "mix", tests: "mix test" },
  // Its projects have a `rebar.config` as well, for those who depend on them.
  { language: "erlang", manifests: "erlang.mk", manager: "erlang.mk", tests: "make tests" },
  {
    language: "erlang",
    manifests: "rebar.config",
    manager: "rebar3",
    tests: "rebar3 ct, `rebar3 eunit`",
    run: erlangTests,
  },
  { language: "swift", manifests: "Package.swift", manager: "swift", tests: "swift test" },
  {
    language: "swift",
    manifests: "*.xcscheme",
    manager: "xcodebuild",
    home: (manifest) => /^(?:(.*)\/)?[^/]+\.(?:xcodeproj|xcworkspace)\//.exec(manifest)?.[1] ?? "",
    tests: "xcodebuild test -scheme …",
    run: xcodeTests,
  },
  { language: "dart", manifests: "pubspec.yaml", manager: "pub", tests: "dart test, `flutter test`", run: dartTests },
  { language: "c", manifests: "CMakeLists.txt", manager: "cmake", tests: "ctest --test-dir build", run: cmakeTests },
  { language: "c", manifests: "meson.build", manager: "meson", tests: "meson test -C build" },
  { language: "c", manifests: "configure.ac configure.in", manager: "autotools", tests: "make check" },
  { language: "haskell", manifests: "stack.yaml", manager: "stack", tests: "stack test" },
  { language: "haskell", manifests: "*.cabal cabal.project", manager: "cabal", tests: "cabal test", run: cabalTests },
  { language: "ocaml", manifests: "dune-project", manager: "dune", tests: "dune runtest" },
  {
    language: "zig",
    manifests: "build.zig",
    manager: "zig",
    tests: "zig build test",
    run: zigTests,
  },
  { language: "lua", manifests: ".busted *.rockspec", tests: "busted" },
  { language: "solidity", manifests: "foundry.toml", manager: "forge", tests: "forge test" },
  { language: "solidity", manifests: "hardhat.config.*", manager: "hardhat", tests: "npx hardhat test" },
  {
    language: "terraform",
    manifests: "main.tf versions.tf providers.tf",
    manager: "terraform",
    tests: "terraform test, `terraform validate`",
    run: terraformTests,
  },
  { language: "perl", manifests: "Makefile.PL cpanfile dist.ini", tests: "prove -lr t" },
  { language: "julia", manifests: "Project.toml", tests: "julia --project -e 'using Pkg; Pkg.test()'" },
  { language: "clojure", manifests: "project.clj", manager: "lein", tests: "lein test" },
  {
    language: "clojure",
    manifests: "deps.edn",
    manager: "clojure",
    tests: "clojure -X:test, `clojure -M:test`",
    run: clojureTests,
  },
  { language: "crystal", manifests: "shard.yml", manager: "shards", tests: "crystal spec" },
  { language: "gleam", manifests: "gleam.toml", manager: "gleam", tests: "gleam test" },
  { language: "elm", manifests: "elm.json", tests: "npx elm-test" },
  { language: "nim", manifests: "*.nimble", manager: "nimble", tests: "nimble test" },
  { language: "powershell", manifests: "*.psd1", tests: "Invoke-Pester" },
  { language: "r", manifests: "DESCRIPTION", tests: "Rscript -e 'devtools::test()'" },
];

/** A project with what runs its tests. */
export interface StackProject extends Project {
  readonly tests: StackTests | null;
}

const MAX_PROJECTS = 400;

/** The projects of a repository, by the manifests in it. */
export function readProjects(
  tree: Tree,
  testFiles: (language: Language) => readonly string[],
): readonly StackProject[] {
  return STACKS.flatMap(({ language, manifests, manager, home = folderOf, tests: usual, run = ifTests(usual) }) => {
    const byFolder = new Map<string, string>();
    for (const manifest of tree.named(manifests))
      if (!byFolder.has(home(manifest))) byFolder.set(home(manifest), manifest);
    return [...byFolder].slice(0, MAX_PROJECTS).map(([folder, manifest]) => {
      const tests = testFiles(language).filter((path) => isWithin(path, folder));
      return {
        folder,
        language,
        manifest,
        packageManager: typeof manager === "function" ? manager(tree, folder) : (manager ?? null),
        tests: language !== "dart" && isFlutterPlatform(tree, folder) ? null : run({ tree, folder, manifest, tests }),
      };
    });
  });
}

/** A folder of Flutter for one platform, whose project is built by Flutter alone. */
function isFlutterPlatform(tree: Tree, folder: string): boolean {
  if (folder === "") return false;
  const isOne = /^(?:android|ios|macos|darwin|linux|windows|web)$/.test(nameOf(folder));
  return (isOne && tree.has(pathIn(folderOf(folder), "pubspec.yaml"))) || isFlutterPlatform(tree, folderOf(folder));
}

function ifTests(command: string): (view: StackView) => StackTests | null {
  return ({ manifest, tests }) => (tests.length === 0 ? null : { command, source: manifest });
}

/** A workspace's root without a script of its own runs those of its packages; bun needs none. */
function nodeTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  const manager = packageManager(tree, folder);
  const name = manager?.name ?? "npm";
  const runner = WORKSPACE_RUNNERS.find(([file]) => tree.has(pathIn(folder, file)))?.[1];
  // Yarn 1 gives up at the first package without the script, so its packages are left to their own folders.
  const isWorkspace =
    runner !== undefined ||
    (!(name === "yarn" && manager?.isModernYarn === false) && dig(tree.data(manifest), "workspaces") !== undefined) ||
    tree.has(pathIn(folder, "pnpm-workspace.yaml"));
  const member = isWorkspace
    ? tree
        .named("package.json")
        .slice(0, 100)
        .find((path) => path !== manifest && isWithin(path, folder) && hasTestScript(tree, path))
    : undefined;
  if (member !== undefined && !hasTestScript(tree, manifest)) {
    const runs: Readonly<Record<string, string>> = {
      npm: "npm test --workspaces --if-present",
      pnpm: "pnpm -r run test",
      yarn: "yarn workspaces foreach -A run test",
      bun: "bun run --filter '*' test",
    };
    const program = name === "npm" ? "npx" : name === "pnpm" ? "pnpm exec" : name === "bun" ? "bunx" : "yarn";
    const command =
      runner === undefined ? (runs[name] ?? "npm test") : runner.startsWith("moon ") ? runner : `${program} ${runner}`;
    return { command, source: `${member} scripts.test` };
  }
  const own = tests.find((path) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(path));
  return name === "bun" && own !== undefined ? { command: "bun test", source: own } : null;
}

function hasTestScript(tree: Tree, manifest: string): boolean {
  const script = dig(tree.data(manifest), "scripts", "test");
  return typeof script === "string" && !isNoTest(script);
}

/** Programs that run a script of every package of a workspace, by their settings. */
const WORKSPACE_RUNNERS: readonly (readonly [file: string, run: string])[] = [
  ["turbo.json", "turbo run test"],
  ["nx.json", "nx run-many -t test"],
  [".moon/workspace.yml", "moon run :test"],
  ["lerna.json", "lerna run test"],
];

const PYTEST_FILES = [
  "pytest.ini",
  ".pytest.ini",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "Pipfile",
  "conftest.py",
  "tests/conftest.py",
  "test/conftest.py",
];
const MAX_TEXTS = 20;

function pythonTests({ tree, folder, tests }: StackView): StackTests | null {
  if (tests.length === 0) return null;
  const inner = tree
    .named(/^(?:pyproject\.toml|setup\.py)$/)
    .map(folderOf)
    .filter((path) => path !== folder && isWithin(path, folder));
  // Around projects that have tests of their own, only its own files can say how to run them.
  const own = tests.filter((path) => !inner.some((project) => isWithin(path, project)));
  const start =
    { uv: "uv run ", poetry: "poetry run ", pdm: "pdm run ", pipenv: "pipenv run ", pixi: "pixi run " }[
      pythonManager(tree, folder) ?? ""
    ] ?? "";
  const requirements = tree
    .named(/^(?:requirements|dev|test|tests)[\w.-]*\.(?:txt|in)$/)
    .filter((path) => own.length > 0 && isWithin(path, folder))
    .slice(0, MAX_TEXTS);
  const sign =
    [...PYTEST_FILES.map((file) => pathIn(folder, file)), ...requirements].find((path) =>
      /conftest\.py$|pytest\.ini$/.test(path)
        ? tree.has(path)
        : /(?:^|["'\s[:.])pytest(?![\w-])/m.test(tree.read(path) ?? ""),
    ) ?? own.find((path) => path.endsWith("conftest.py"));
  if (sign !== undefined) return { command: `${start}pytest`, source: sign };
  const manage = pathIn(folder, "manage.py");
  if (tree.has(manage))
    return {
      command: `${start}python manage.py test`,
      source: manage,
    };
  const file = own.slice(0, MAX_TEXTS).find((path) => /^(?:import|from) unittest\b/m.test(tree.read(path) ?? ""));
  return file === undefined ? null : { command: `${start}python -m unittest`, source: file };
}

function rustTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  if (tests.length === 0) return null;
  const members = textsIn(dig(tree.data(manifest), "workspace", "members"));
  const isNextest = tree.has(pathIn(folder, ".config/nextest.toml"));
  const command = `cargo ${isNextest ? "nextest run" : "test"}${members.length > 0 ? " --workspace" : ""}`;
  return {
    command,
    source: manifest,
  };
}

const MAX_LISTED = 6;

/** At the root of a go.work the modules are named one by one; many of them are left to their own folders. */
function goTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  if (tests.length === 0) return null;
  const work = tree.read(pathIn(folder, "go.work")) ?? "";
  const used = [...work.matchAll(/^(?:use)?\s+(\.(?:\/[\w./-]+)?)\s*$/gm)].map(([, path]) => `${path}/...`);
  if (used.length > MAX_LISTED && !tree.has(pathIn(folder, "go.mod"))) return null;
  const packages = used.length > 0 && used.length <= MAX_LISTED ? used.join(" ") : "./...";
  return { command: `go test ${packages}`, source: manifest };
}

/** A wrapper that is tracked is the one to call. */
function jvmTests(wrapper: string, program: string): (view: StackView) => StackTests | null {
  return ({ tree, folder, manifest, tests }) => {
    if (tests.length === 0) return null;
    const start = tree.has(pathIn(folder, wrapper)) ? `./${wrapper}` : program;
    // The modules of several platforms have no task `test`.
    const isMany = tests.some((path) => /(?:^|\/)(?:src\/commonTest|common\/test)\//.test(path));
    return { command: `${start} ${isMany ? "allTests" : "test"}`, source: manifest };
  };
}

function rubyTests({ tree, folder, tests }: StackView): StackTests | null {
  const spec = tests.find((path) => path.startsWith(pathIn(folder, "spec/")) && path.endsWith("_spec.rb"));
  if (spec !== undefined) return { command: "bundle exec rspec", source: spec };
  const test = tests.find((path) => path.startsWith(pathIn(folder, "test/")));
  if (test === undefined) return null;
  if (tree.has(pathIn(folder, "config/application.rb"))) return { command: "bin/rails test", source: test };
  const rakefile = pathIn(folder, "Rakefile");
  return /\bTestTask\b/.test(tree.read(rakefile) ?? "") ? { command: "bundle exec rake test", source: rakefile } : null;
}

function phpTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  const packages = new Set(
    ["require", "require-dev"].flatMap((key) => entriesOf(dig(tree.data(manifest), key)).map(([name]) => name)),
  );
  const settings = ["phpunit.xml.dist", "phpunit.xml", "phpunit.dist.xml"]
    .map((file) => pathIn(folder, file))
    .find((path) => tree.has(path));
  if (tests.length === 0 && settings === undefined) return null;
  if (tree.has(pathIn(folder, "artisan"))) return { command: "php artisan test", source: pathIn(folder, "artisan") };
  if (packages.has("pestphp/pest")) return { command: "vendor/bin/pest", source: manifest };
  if (tree.has(pathIn(folder, "bin/phpunit")))
    return { command: "php bin/phpunit", source: pathIn(folder, "bin/phpunit") };
  const isInstalled = packages.has("phpunit/phpunit") || packages.has("symfony/phpunit-bridge");
  return isInstalled || settings !== undefined ? { command: "vendor/bin/phpunit", source: settings ?? manifest } : null;
}

/** Where a folder has more than one solution or project, it must be named. */
function dotnetTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  if (tests.length === 0) return null;
  const inFolder = (pattern: RegExp) => tree.named(pattern).filter((path) => folderOf(path) === folder);
  const solutions = inFolder(/\.slnx?$/).toSorted((one, other) => one.length - other.length);
  const [main = manifest] = solutions;
  const isOnly = inFolder(/\.(?:slnx?|\w+proj)$/).length === 1;
  return {
    command: isOnly ? "dotnet test" : `dotnet test ${nameOf(main)}`,
    source: main,
  };
}

/** A project of several packages has none at its root that could be meant. */
function cabalTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  const isProject = !tree.named(/\.cabal$/).some((path) => folderOf(path) === folder);
  return tests.length === 0 ? null : { command: isProject ? "cabal test all" : "cabal test", source: manifest };
}

/** Tests of C can have any name, and the build says whether there are some. */
function cmakeTests({ tree, manifest, tests }: StackView): StackTests | null {
  const isDeclared = () => /\b(?:enable_testing|add_test|include\s*\(\s*CTest)\b/i.test(tree.read(manifest) ?? "");
  return tests.length === 0 && !isDeclared() ? null : { command: "ctest --test-dir build", source: manifest };
}

/** A scheme that is shared says what can be tested. */
function xcodeTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  const scheme = nameOf(manifest).replace(/\.xcscheme$/, "");
  const isPackage = tree.has(pathIn(folder, "Package.swift"));
  const name = /^[\w.-]+$/.test(scheme) ? scheme : `"${scheme}"`;
  return tests.length === 0 || isPackage ? null : { command: `xcodebuild test -scheme ${name}`, source: manifest };
}

/** The build says whether it has a step for tests. */
function zigTests({ tree, manifest }: StackView): StackTests | null {
  const text = tree.read(manifest) ?? "";
  return text === "" || text.includes('"test"') ? { command: "zig build test", source: manifest } : null;
}

/** An alias says whether it names a function or the words of a main program. */
function clojureTests({ tree, manifest }: StackView): StackTests | null {
  const [, alias] = /:test\s*\{([\s\S]*)/.exec(tree.read(manifest) ?? "") ?? [];
  if (alias === undefined) return null;
  return { command: `clojure -${alias.includes(":exec-fn") ? "X" : "M"}:test`, source: manifest };
}

function erlangTests({ manifest, tests }: StackView): StackTests | null {
  if (tests.length === 0) return null;
  const command = tests.some((path) => path.endsWith("_SUITE.erl")) ? "rebar3 ct" : "rebar3 eunit";
  return { command, source: manifest };
}

function dartTests({ tree, folder, manifest, tests }: StackView): StackTests | null {
  const pubspec = tree.data(manifest);
  const isFlutter = ["dependencies", "dev_dependencies"].some((key) =>
    entriesOf(dig(pubspec, key)).some(([name]) => name.startsWith("flutter")),
  );
  // A workspace's root has no tests of its own.
  return !tests.some((path) => path.startsWith(pathIn(folder, "test/")))
    ? null
    : { command: isFlutter ? "flutter test" : "dart test", source: manifest };
}

/** Without test files, a module is proven by what its validation says. */
function terraformTests({ manifest, tests }: StackView): StackTests {
  return { command: tests.length > 0 ? "terraform test" : "terraform validate", source: manifest };
}

/** Folders that Bazel builds, whatever the language; settings of Bazel show that it is the first choice there. */
export function bazelTests(
  tree: Tree,
): readonly (StackTests & { readonly folder: string; readonly isFirst: boolean })[] {
  const modules = [...tree.named("MODULE.bazel"), ...tree.named(/^WORKSPACE(?:\.bazel)?$/)].slice(0, MAX_MODULES);
  return [...new Map(modules.map((source) => [folderOf(source), source]))].map(([folder, source]) => ({
    command: "bazel test //...",
    folder,
    source,
    isFirst: tree.has(pathIn(folder, ".bazelrc")),
  }));
}

const MAX_MODULES = 60;

/** Tests of the shell, in the folder of the first. */
export function batsTests(tests: readonly string[]): StackTests | null {
  const first = tests.find((path) => path.endsWith(".bats"));
  return first === undefined ? null : { command: `bats ${folderOf(first) || "."}`, source: first };
}
