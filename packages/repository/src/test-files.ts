import type { Language } from "@agent-checkpoint/reports";

/** What the paths of test files look like; a language without a row keeps its tests in the sources. */
const TEST_FILES: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript:
    /[._-](?:test|tests|spec|cy)\.(?:[cm]?[jt]sx?|g[jt]s|vue)$|(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress)\/.*\.[cm]?[jt]sx?$/,
  python: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$|(?:^|\/)tests?\/.*\.py$/,
  rust: /(?:^|\/)tests\/.*\.rs$|(?:^|[/_])tests?\.rs$/,
  go: /_test\.go$/,
  java: /(?:Test|Tests|IT|TestCase|Spec)\.(?:java|kt|groovy)$|(?:^|\/)src\/(?:test|\w*Test)\//,
  scala: /(?:Test|Tests|Spec|Suite)\.scala$|(?:^|\/)src\/test\//,
  ruby: /_(?:spec|test)\.rb$|(?:^|\/)test_[^/]*\.rb$|(?:^|\/)(?:spec|test)\/.*\.rb$/,
  php: /(?:Test|Cest|Spec)\.php$|(?:^|\/)tests?\/.*\.php$/i,
  dotnet: /(?:Test|Tests|Spec|Specs)\.(?:cs|fs|vb)$|(?:^|\/)(?:tests?|[\w.]+\.(?:\w*Tests?))\/.*\.(?:cs|fs|vb)$/i,
  elixir: /_test\.exs$/,
  erlang: /_(?:SUITE|tests|test)\.erl$/,
  swift: /(?:^|\/)\w*Tests?\/.*\.swift$|Tests?\.swift$/,
  dart: /_test\.dart$/,
  c: /(?:^|\/)(?:tests?|testsuite|selftests|unit[-_]?tests?)\/.*\.(?:c|cc|cpp|cxx|m|mm)$|(?:^|\/)(?:unit|test)[-_][^/]*\.(?:c|cc|cpp|cxx)$|[-_](?:test|tests|unittest)\.(?:c|cc|cpp|cxx)$/,
  haskell: /(?:^|\/)tests?\/.*\.hs$|Spec\.hs$/,
  ocaml: /(?:^|\/)tests?\/.*\.ml$|(?:^|\/)test_[^/]*\.ml$|_test\.ml$/,
  solidity: /\.t\.sol$|(?:^|\/)tests?\/.*\.sol$/,
  lua: /_spec\.lua$|(?:^|\/)(?:spec|tests?)\/.*\.lua$/,
  shell: /\.bats$|(?:^|\/)tests?\/.*\.sh$|(?:^|\/)t\/t\d[^/]*\.sh$|[-_]test\.sh$|(?:^|\/)test[-_][^/]*\.sh$/,
  perl: /(?:^|\/)x?t\/.*\.t$/,
  r: /(?:^|\/)tests\/.*\.R$/i,
  julia: /(?:^|\/)test\/.*\.jl$/,
  clojure: /(?:^|\/)test\/.*\.clj[cs]?$/,
  terraform: /\.tftest\.(?:hcl|json)$/,
};

/** Tests that stand in a source file, by language. */
export const INLINE_TESTS: Readonly<Partial<Record<Language, RegExp>>> = {
  rust: /#\[(?:cfg\(.*\btest\b.*\)|(?:\w+::)*test\b|rstest|test_case)/,
  zig: /^test\b/m,
};

/** Whether a path is that of a test file of a language. */
export function isTestFile(path: string, language: Language): boolean {
  return TEST_FILES[language]?.test(path) ?? false;
}
