/** A language and the names of its files. Prose, data, styles, markup and its templates, snapshots, lock files and assets are not code. */
export interface LanguageRow {
  /** The extensions of its code. */
  readonly code: string;
  /** The names of its test files without the extension, and folders of tests, with a slash; a star stands for anything. */
  readonly tests?: string;
  /** Names of test files as a whole. */
  readonly testNames?: string;
}

/** A language without tests of its own keeps them in the sources, or has none. */
const ROWS = {
  // TypeScript and the component formats that compile to JavaScript are one language: one runner tests them all.
  javascript: {
    code: "js jsx mjs cjs ts tsx mts cts gjs gts vue svelte astro coffee",
    tests: "*.test *.tests *.spec *.cy *_test *_spec *-test *-spec test/ tests/ __tests__/ spec/ specs/ e2e/ cypress/",
  },
  python: { code: "py pyi pyx pxd", tests: "test_* *_test tests conftest test/ tests/" },
  rust: { code: "rs", tests: "test tests *_test *_tests tests/" },
  go: { code: "go", tests: "*_test" },
  java: { code: "java kt kts groovy gradle", tests: "*Test *Tests *IT *TestCase *Spec src/test/ src/*Test/" },
  scala: { code: "scala sbt sc", tests: "*Test *Tests *Spec *Suite src/test/ test/src/" },
  clojure: { code: "clj cljs cljc", tests: "test/" },
  ruby: { code: "rb rake gemspec ru", tests: "*_spec *_test test_* spec/ test/" },
  php: { code: "php", tests: "*Test *Cest *Spec test/ tests/ Test/ Tests/" },
  dotnet: {
    code: "cs fs fsx vb razor",
    tests: "*Test *Tests *Spec *Specs test/ tests/ Test/ Tests/ *Test/ *Tests/",
  },
  elixir: { code: "ex exs", tests: "*_test" },
  erlang: { code: "erl hrl", tests: "*_SUITE *_test *_tests" },
  swift: { code: "swift", tests: "*Test *Tests *Test/ *Tests/" },
  dart: { code: "dart", tests: "*_test" },
  // Objective-C is tested together with C, and with Swift by Xcode.
  c: {
    code: "c h cc hh cpp hpp cxx hxx ipp inl m mm cu cuh vala",
    tests:
      "test-* test_* unit-* unit_* *-test *_test *-tests *_tests *_unittest test/ tests/ testsuite/ selftests/ unit-test/ unit-tests/ unit_test/ unit_tests/ unittest/ unittests/",
  },
  haskell: { code: "hs lhs", tests: "*Spec test/ tests/" },
  ocaml: { code: "ml mli", tests: "test_* *_test test/ tests/" },
  zig: { code: "zig" },
  solidity: { code: "sol", tests: "*.t test/ tests/" },
  lua: { code: "lua", tests: "*_spec spec/ test/ tests/" },
  perl: { code: "pl pm t", tests: "t/ xt/" },
  r: { code: "r R", tests: "tests/" },
  julia: { code: "jl", tests: "test/" },
  nim: { code: "nim", tests: "tests/" },
  crystal: { code: "cr", tests: "*_spec spec/" },
  gleam: { code: "gleam", tests: "*_test" },
  elm: { code: "elm", tests: "*Test *Tests tests/" },
  powershell: { code: "ps1 psm1", tests: "*.Tests" },
  shell: { code: "sh bash zsh fish bats", tests: "*-test *_test test-* test_* test/ tests/ t/", testNames: "*.bats" },
  terraform: { code: "tf", testNames: "*.tftest.hcl *.tftest.json" },
  // A language without runners: a query is tested by the program that sends it.
  sql: { code: "sql" },
} as const;

export type Language = keyof typeof ROWS;

/** The one table of languages. */
export const LANGUAGES: Readonly<Record<Language, LanguageRow>> = ROWS;

/** Build scripts that are known by their whole name. */
const FILE_NAMES: ReadonlyMap<string, readonly Language[]> = new Map([
  ["rakefile", ["ruby"]],
  ["gemfile", ["ruby"]],
  ["fastfile", ["ruby"]],
  ["podfile", ["ruby"]],
  ["cmakelists.txt", ["c"]],
  ["meson.build", ["c"]],
  ["jenkinsfile", ["java"]],
  ["justfile", ["shell"]],
  ["makefile", ["shell"]],
  ["gnumakefile", ["shell"]],
]);

const EXTENSIONS: ReadonlyMap<Language, readonly string[]> = new Map(
  (Object.keys(LANGUAGES) as Language[]).map((language) => [language, LANGUAGES[language].code.split(" ")] as const),
);

const BY_EXTENSION = new Map(
  [...EXTENSIONS].flatMap(([language, extensions]) => extensions.map((extension) => [extension, [language]] as const)),
);

/** Languages of a file by its name; empty for a file that is not code. */
export function languagesOfFile(path: string): readonly Language[] {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const byName = name.endsWith(".blade.php") ? [] : FILE_NAMES.get(name);
  if (byName !== undefined) return byName;
  const dot = name.lastIndexOf(".");
  return (dot === -1 ? undefined : BY_EXTENSION.get(name.slice(dot + 1))) ?? [];
}

/** The extensions of a language's files. */
export function extensionsOf(language: Language): readonly string[] {
  return EXTENSIONS.get(language) ?? [];
}

/** The extensions of all languages. */
export const CODE_EXTENSIONS: readonly string[] = [...EXTENSIONS.values()].flat();

const TEST_PATTERNS = new Map<Language, RegExp>();

/** Whether a path is that of a test file of a language. */
export function isTestFile(path: string, language: Language): boolean {
  const known = TEST_PATTERNS.get(language) ?? testPattern(language);
  TEST_PATTERNS.set(language, known);
  return known.test(path);
}

function testPattern(language: Language): RegExp {
  const { tests = "", testNames = "" } = LANGUAGES[language];
  const words = tests.split(" ").filter((word) => word !== "");
  const ending = `\\.(?:${extensionsOf(language).join("|")})`;
  const oneOf = (names: readonly string[], rest: string) =>
    names.length === 0
      ? []
      : [`(?:^|/)(?:${names.map((name) => name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")).join("|")})${rest}$`];
  const parts = [
    ...oneOf(
      words.filter((word) => !word.endsWith("/")),
      ending,
    ),
    ...oneOf(
      words.filter((word) => word.endsWith("/")),
      `.*${ending}`,
    ),
    ...oneOf(
      testNames.split(" ").filter((name) => name !== ""),
      "",
    ),
  ];
  return new RegExp(parts.length === 0 ? "^(?!)" : parts.join("|"));
}
