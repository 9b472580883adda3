import type { Language } from "./languages.ts";

/** A program that reports on tests. */
export interface Runner {
  readonly id: string;
  /** Languages of the code that it tests; empty for any language. */
  readonly languages: readonly Language[];
}

/** The runners whose reports are recognised. */
export const RUNNERS = [
  { id: "pytest", languages: ["python"] },
  // Also Django, nose and nose2.
  { id: "unittest", languages: ["python"] },
  { id: "tox", languages: ["python"] },
  { id: "nox", languages: ["python"] },
  { id: "vitest", languages: ["javascript"] },
  { id: "jest", languages: ["javascript"] },
  { id: "mocha", languages: ["javascript", "solidity"] },
  { id: "ava", languages: ["javascript"] },
  { id: "node-test", languages: ["javascript"] },
  { id: "node-tap", languages: ["javascript"] },
  { id: "uvu", languages: ["javascript"] },
  { id: "jasmine", languages: ["javascript"] },
  { id: "karma", languages: ["javascript"] },
  { id: "bun", languages: ["javascript"] },
  { id: "deno", languages: ["javascript"] },
  // Both drive a browser, so their language says nothing about what they test.
  { id: "playwright", languages: [] },
  { id: "cypress", languages: [] },
  { id: "cucumber", languages: ["ruby", "javascript", "java"] },
  { id: "cargo", languages: ["rust"] },
  { id: "nextest", languages: ["rust"] },
  { id: "go", languages: ["go"] },
  { id: "gotestsum", languages: ["go"] },
  { id: "ginkgo", languages: ["go"] },
  { id: "rspec", languages: ["ruby"] },
  // Also `rails test`.
  { id: "minitest", languages: ["ruby"] },
  { id: "test-unit", languages: ["ruby"] },
  { id: "surefire", languages: ["java", "scala"] },
  { id: "gradle", languages: ["java", "scala"] },
  { id: "junit", languages: ["java", "scala"] },
  { id: "scalatest", languages: ["scala", "java"] },
  { id: "clojure-test", languages: ["clojure"] },
  { id: "kaocha", languages: ["clojure"] },
  { id: "dotnet", languages: ["dotnet"] },
  // Also Codeception.
  { id: "phpunit", languages: ["php"] },
  // Also `artisan test`.
  { id: "pest", languages: ["php"] },
  { id: "ex-unit", languages: ["elixir"] },
  { id: "eunit", languages: ["erlang"] },
  { id: "common-test", languages: ["erlang"] },
  { id: "xctest", languages: ["swift", "c"] },
  { id: "swift-testing", languages: ["swift"] },
  { id: "xcodebuild", languages: ["swift", "c"] },
  // Also Flutter.
  { id: "dart", languages: ["dart"] },
  { id: "ctest", languages: ["c"] },
  { id: "googletest", languages: ["c"] },
  { id: "catch2", languages: ["c"] },
  { id: "doctest", languages: ["c"] },
  { id: "boost-test", languages: ["c"] },
  { id: "check", languages: ["c"] },
  { id: "meson", languages: [] },
  { id: "automake", languages: [] },
  { id: "hspec", languages: ["haskell"] },
  { id: "tasty", languages: ["haskell"] },
  { id: "hunit", languages: ["haskell"] },
  { id: "cabal", languages: ["haskell"] },
  { id: "alcotest", languages: ["ocaml"] },
  { id: "ounit", languages: ["ocaml"] },
  { id: "zig", languages: ["zig"] },
  { id: "forge", languages: ["solidity"] },
  { id: "busted", languages: ["lua"] },
  { id: "luaunit", languages: ["lua"] },
  { id: "testthat", languages: ["r"] },
  { id: "julia", languages: ["julia"] },
  { id: "nim", languages: ["nim"] },
  { id: "pester", languages: ["powershell"] },
  { id: "terraform", languages: [] },
  { id: "opa", languages: [] },
  // Both run the checks of a commit, and may show nothing else of them.
  { id: "pre-commit", languages: [] },
  { id: "lefthook", languages: [] },
  // Shell tests drive programs of any language.
  { id: "bats", languages: [] },
  { id: "shunit2", languages: [] },
  { id: "shellspec", languages: [] },
  { id: "prove", languages: [] },
  { id: "tap", languages: [] },
  { id: "bazel", languages: [] },
  { id: "buck2", languages: [] },
  { id: "pants", languages: [] },
  { id: "turbo", languages: [] },
  { id: "nx", languages: [] },
  { id: "make", languages: [] },
] as const;

export type RunnerId = (typeof RUNNERS)[number]["id"];
