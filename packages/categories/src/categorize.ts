import { affordableFiles, matchesAny } from "./globs.ts";
import type { Category, Rules } from "./types.ts";

/** The changed files by what they ask for. */
export interface Categorization {
  /** The rows that apply, in the order of the table; a file may appear in several. */
  readonly matches: readonly CategoryMatch[];
  /** Files that no row covers and that are no documents. */
  readonly withoutRule: readonly string[];
  readonly documents: readonly string[];
  /** The files that ask for tests. */
  readonly tested: readonly string[];
  /** Whether test files changed and no source file did. */
  readonly isTestsOnly: boolean;
}

/** A row of the table with the changed files it covers. */
export interface CategoryMatch {
  readonly category: Category;
  readonly files: readonly string[];
}

/** Sorts changed files into the categories of the rules; categories are tried before the docs rule. */
export function categorize(all: readonly string[], rules: Pick<Rules, "categories" | "docs">): Categorization {
  const globs = rules.categories.reduce((sum, { include, exclude = [] }) => sum + include.length + exclude.length, 0);
  const files = all.slice(0, affordableFiles(globs));
  const matches = rules.categories
    .map((category) => ({ category, files: files.filter((file) => isInCategory(file, category)) }))
    .filter((match) => match.files.length > 0);
  const covered = new Set(matches.flatMap((match) => match.files));
  const rest = files.filter((file) => !covered.has(file));
  const documents = new Set(rest.filter((file) => matchesAny(file, rules.docs)));
  const withoutRule = rest.filter((file) => !documents.has(file));

  const asking = (match: CategoryMatch) => match.files.filter((file) => asksForTests(file, match.category));
  const testFiles = new Set(matches.filter((match) => match.category.alone).flatMap((match) => match.files));
  const sources = [...matches.filter((match) => !match.category.alone).flatMap(asking), ...withoutRule].filter(
    (file) => !testFiles.has(file),
  );
  return {
    matches,
    withoutRule,
    documents: [...documents],
    tested: [...new Set([...sources, ...matches.flatMap(asking)])],
    isTestsOnly: testFiles.size > 0 && sources.length === 0,
  };
}

/** Whether a path falls under a row of the table. */
export function isInCategory(file: string, category: Category): boolean {
  return matchesAny(file, category.include) && !matchesAny(file, category.exclude ?? []);
}

/** Whether a change to a file of the row asks for tests. */
export function asksForTests(file: string, category: Category): boolean {
  return typeof category.tests === "boolean" ? category.tests : matchesAny(file, category.tests);
}
