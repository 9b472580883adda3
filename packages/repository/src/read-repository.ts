import { extensionsOf, isTestFile, type Language, languagesOfFile } from "@agent-checkpoint/reports";
import type { Chore } from "./chores/chore.ts";
import { readChores } from "./chores/read-chores.ts";
import { type CiCommand, readCiCommands, readGuideCommands } from "./commands/ci-commands.ts";
import { type DeclaredCommand, declaredCommands } from "./commands/declared-commands.ts";
import { readTasks } from "./commands/task-runners.ts";
import { listTracked } from "./files/list-tracked.ts";
import { folderOf, isWithin, openTree, type Tree } from "./files/tree.ts";
import { asNamed, namedTests } from "./named-tests.ts";
import { batsTests, bazelTests, type Project, readProjects, type StackTests } from "./stacks.ts";

/** What a repository's tracked files say about it. */
export interface RepositoryFacts {
  /** The languages of its own code, the one with the most files that are no tests first. */
  readonly languages: readonly LanguageShare[];
  /** Files of code in languages that are not known, by their ending. */
  readonly unknownCode: Readonly<Record<string, number>>;
  readonly projects: readonly Project[];
  /** What can be run here: declared tasks, scripts, and what the tools of its stacks run by themselves. */
  readonly commands: readonly RepositoryCommand[];
  readonly testFiles: Readonly<Partial<Record<Language, number>>>;
  /** Folders with test files in them, by language. */
  readonly testFolders: Readonly<Partial<Record<Language, readonly string[]>>>;
  readonly migrations: readonly Chore[];
  readonly generators: readonly Chore[];
  readonly composeFiles: readonly string[];
  readonly ciSteps: readonly CiCommand[];
  /** Commands that AGENTS.md, CONTRIBUTING.md, README.md and their like tell to run. */
  readonly guides: readonly CiCommand[];
}

/** A language and how much of the code is written in it. */
export interface LanguageShare {
  readonly language: Language;
  readonly files: number;
  /** The share of all code files, from 0 to 1. */
  readonly share: number;
}

/** A command with who has it: the repository's own files, the tools of a stack, or a step of its CI. */
export interface RepositoryCommand extends DeclaredCommand {
  readonly origin: "declared" | "stack" | "ci";
}

/** How a repository is read. */
export interface ReadOptions {
  /** The paths to look at; by default those that git tracks. */
  readonly tracked?: readonly string[] | undefined;
  /** Called with each path whose text is looked at, before it is. */
  readonly onRead?: ((path: string) => void) | undefined;
}

/** Reads what a repository's tracked files say about it; nothing of it is run. */
export async function readRepository(
  root: string,
  { tracked = listTracked(root), onRead }: ReadOptions = {},
): Promise<RepositoryFacts> {
  const tree = await openTree(root, tracked, onRead);
  const { files, tests, unknown } = sortByLanguage(tree);
  const declared = declaredCommands(readTasks(tree));
  const projects = readProjects(tree, (language) => tests.get(language) ?? []);
  const bazel = bazelTests(tree).map((own) => ({ ...own, languages: languagesIn(tests, own.folder) }));
  const stackTests = [
    ...bazel
      .filter(({ isFirst }) => isFirst)
      .flatMap((own) => own.languages.map((language) => stackCommand(own, own.folder, [language]))),
    ...projects.flatMap(({ tests: own, folder, language }) =>
      own === null ? [] : [stackCommand(own, folder, [language])],
    ),
    ...bazel
      // Beside a build of the project's own kind, Bazel is there for those who depend on it.
      .filter(({ isFirst, folder }) => !isFirst && !projects.some((one) => one.folder === folder && one.tests !== null))
      .map((own) =>
        stackCommand(
          own,
          own.folder,
          own.languages.filter((language) => language !== "shell"),
        ),
      ),
    ...[batsTests(tests.get("shell") ?? [])].flatMap((own) => (own === null ? [] : [stackCommand(own, "", ["shell"])])),
  ];
  const sourcesOf = ({ language, files: count }: { readonly language: Language; readonly files: number }) =>
    count - (tests.get(language)?.length ?? 0);
  const total = [...files.values()].reduce((sum, count) => sum + count, 0);
  const chores = readChores(tree, declared);
  const ciSteps = readCiCommands(tree);
  const guides = readGuideCommands(tree);
  return {
    languages: [...files]
      .map(([language, count]) => ({ language, files: count, share: count / total }))
      .sort((one, other) => sourcesOf(other) - sourcesOf(one) || other.files - one.files),
    unknownCode: Object.fromEntries(unknown),
    projects: projects.map(({ folder, language, manifest, packageManager }) => ({
      folder,
      language,
      manifest,
      packageManager,
    })),
    commands: [
      ...declared.map((command) => ({ ...command, origin: "declared" as const })),
      ...stackTests.map((own) => asNamed(own, ciSteps, guides)),
      ...namedTests(tree, ciSteps, guides),
    ],
    testFiles: Object.fromEntries([...tests].map(([language, paths]) => [language, paths.length])),
    testFolders: Object.fromEntries([...tests].map(([language, paths]) => [language, foldersOf(paths)])),
    migrations: chores.filter(({ kind }) => kind === "migrate"),
    generators: chores.filter(({ kind }) => kind === "generate"),
    composeFiles: tree.named(/^(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/),
    ciSteps,
    guides,
  };
}

function stackCommand(
  { command, source }: StackTests,
  folder: string,
  languages: readonly Language[],
): RepositoryCommand {
  return { command, folder, kind: "test", source, languages, runs: null, name: "", isAssumed: false, origin: "stack" };
}

/** The languages that have tests in a folder. */
function languagesIn(tests: ReadonlyMap<Language, readonly string[]>, folder: string): readonly Language[] {
  return [...tests].filter(([, paths]) => paths.some((path) => isWithin(path, folder))).map(([language]) => language);
}

/** Test data, templates and what tools keep in hidden folders are written in languages that the project may not use. */
const SAMPLES =
  /(?:^|\/)(?:\.[^/]+|fixtures?|test[ _-]?(?:cases?|data)|__fixtures__|snapshots?|templates?|generated)\//;

/** Tests of Perl lie in `t`; elsewhere the ending is that of others, such as the shell sessions of Dune. */
const OTHER_TEST = /^(?!(?:.*\/)?x?t\/).*\.t$/;

function sortByLanguage(tree: Tree): {
  readonly files: ReadonlyMap<Language, number>;
  readonly tests: ReadonlyMap<Language, readonly string[]>;
  readonly unknown: ReadonlyMap<string, number>;
} {
  const files = new Map<Language, number>();
  const tests = new Map<Language, string[]>();
  const sources = new Map<Language, string[]>();
  const unknown = new Map<string, number>();
  for (const path of tree.files) {
    const language = languageOf(path);
    if (language === null) {
      const [, ending] = UNKNOWN.exec(path) ?? [];
      if (ending !== undefined) unknown.set(ending, (unknown.get(ending) ?? 0) + 1);
      continue;
    }
    if (SAMPLES.test(path) || (language === "perl" && OTHER_TEST.test(path))) continue;
    files.set(language, (files.get(language) ?? 0) + 1);
    if (isTestFile(path, language)) push(tests, language, path);
    else if (INLINE_TESTS[language] !== undefined) push(sources, language, path);
  }
  for (const [language, paths] of sources) {
    const inline = inlineTests(tree, language, { paths, tests: tests.get(language) ?? [] });
    if (inline.length > 0) tests.set(language, [...(tests.get(language) ?? []), ...inline]);
  }
  return { files, tests, unknown };
}

/** Endings of code in languages that nothing is known of. */
const UNKNOWN =
  /\.(ad[abs]|ahk|cbl|cob|cl|d|dpr|el|f|f90|f95|f03|f08|gd|hx|idr|lean|lisp|mojo|odin|pas|prolog|purs|pony|rkt|re|res|scm|sml|sv|tcl|v|vhd|vhdl|wren)$/;

/** The first source with tests in it of each project that has no test files. */
function inlineTests(
  tree: Tree,
  language: Language,
  { paths, tests }: { readonly paths: readonly string[]; readonly tests: readonly string[] },
): readonly string[] {
  const { manifest = "", pattern } = INLINE_TESTS[language] ?? {};
  const folders = new Set(tree.named(manifest).map(folderOf));
  const homeOf = (path: string): string => {
    let at = folderOf(path);
    while (at !== "" && !folders.has(at)) at = folderOf(at);
    return at;
  };
  const tested = new Set(tests.map(homeOf));
  const open = new Map<string, string[]>();
  for (const path of paths) {
    const home = homeOf(path);
    if (tested.has(home)) continue;
    const own = open.get(home);
    if (own === undefined) open.set(home, [path]);
    else own.push(path);
  }
  const each = Math.max(MIN_SOURCES, Math.floor(MAX_SOURCES / Math.max(1, open.size)));
  return [...open.values()]
    .slice(0, MAX_SOURCES / MIN_SOURCES)
    .flatMap((own) => own.slice(0, each).find((path) => pattern?.test(tree.read(path) ?? "") === true) ?? []);
}

/** The language of a source file; build files that are known by their name, and queries, have no tests of their own. */
function languageOf(path: string): Language | null {
  if (path.endsWith(".tftest.hcl")) return "terraform";
  const [language] = languagesOfFile(path);
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return language === undefined || language === "sql" || !extensionsOf(language).includes(extension) ? null : language;
}

/** Tests that stand in a source file, and the manifest of a project, by language. */
const INLINE_TESTS: Readonly<Partial<Record<Language, { readonly manifest: string; readonly pattern: RegExp }>>> = {
  rust: { manifest: "Cargo.toml", pattern: /#\[(?:cfg\(.*\btest\b.*\)|(?:\w+::)*test\b|rstest|test_case)/ },
  zig: { manifest: "build.zig", pattern: /^test\b/m },
};

/** How many sources are read in all, and how many of a project at least. */
const MAX_SOURCES = 120;
const MIN_SOURCES = 3;
const MAX_FOLDERS = 500;

function push(map: Map<Language, string[]>, language: Language, path: string): void {
  const paths = map.get(language);
  if (paths === undefined) map.set(language, [path]);
  else paths.push(path);
}

/** The folders that tests stand in. */
function foldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(folderOf))].slice(0, MAX_FOLDERS);
}
