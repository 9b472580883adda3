import { nodeProgram, pythonProgram } from "./chores/places.ts";
import type { CiCommand } from "./commands/ci-commands.ts";
import { languagesOfName, recognise } from "./commands/programs.ts";
import { folderOf, nameOf, pathIn, type Tree } from "./files/tree.ts";
import type { RepositoryCommand } from "./read-repository.ts";

/** What a tool runs by itself, with the part that only CI or a guide can choose. */
export function asNamed(
  own: RepositoryCommand,
  ciSteps: readonly CiCommand[],
  guides: readonly CiCommand[],
): RepositoryCommand {
  const named = [...guides, ...ciSteps];
  return withVariant(withFeatures(withChoice(own, named), named), ciSteps);
}

/** Tools that are told more, or started in another way: the solution, the aliases, a compiler that is brought along. */
const CHOICES: readonly (readonly [tool: RegExp, choice: RegExp])[] = [
  [/^dotnet test\b/, /^dotnet test [\w./-]+\.sln[fx]?(?= |$)/],
  [/^clojure -X:test$/, /^clojure -X(?::[\w-]+)*:test\b/],
  [/^clojure -M:test$/, /^clojure -M(?::[\w-]+)*:test\b/],
  [/^zig build test$/, /^(?:\.\/)?(?:[\w.-]+\/)*zig build test(?= |$)/],
  [/^go test \.\/\.\.\.$/, /^ginkgo (?:-\S+ )*-r(?: -\S+)*$/],
];

function withChoice(own: RepositoryCommand, named: readonly CiCommand[]): RepositoryCommand {
  const [, choice] = CHOICES.find(([tool]) => tool.test(own.command)) ?? [];
  const chosen = named
    .filter(({ folder }) => folder === own.folder)
    .flatMap(({ command }) => choice?.exec(command)?.[0] ?? []);
  return { ...own, command: chosen[0] ?? own.command };
}

/**
 * Where CI tests one variant of an app for Android and never all of them, that variant is meant.
 * The plain task runs the tests once for each variant.
 */
function withVariant(own: RepositoryCommand, steps: readonly CiCommand[]): RepositoryCommand {
  const [, start] = /^(\S*gradlew?) test$/.exec(own.command) ?? [];
  if (start === undefined) return own;
  const tasks = steps
    .filter(({ command, folder }) => folder === own.folder && /^\S*gradlew? /.test(command))
    .flatMap(({ command }) => command.split(" ").slice(1));
  const variant = tasks.find((task) => /^test[A-Z]\w*$/.test(task));
  const isAll = tasks.some((task) => /^(?:test|check|build|allTests)$/.test(task));
  return variant === undefined || isAll ? own : { ...own, command: `${start} ${variant}` };
}

/** Where CI or a guide tests a Rust project with all of its features, a run without them leaves code out. */
function withFeatures(own: RepositoryCommand, named: readonly CiCommand[]): RepositoryCommand {
  const isAll = ({ command, folder }: CiCommand) =>
    (folder === "" || folder === own.folder) &&
    /^cargo (?:test|nextest run|hack test)\b.* --all-features\b/.test(command);
  return own.command.startsWith("cargo ") && named.some(isAll)
    ? { ...own, command: `${own.command} --all-features` }
    : own;
}

/** Tests that only a step of CI or a guide names. */
export function namedTests(
  tree: Tree,
  ciSteps: readonly CiCommand[],
  guides: readonly CiCommand[],
): readonly RepositoryCommand[] {
  const seen = new Set<string>();
  const isNew = ({ command, folder }: CiCommand) => seen.size < seen.add(`${folder}\0${command}`).size;
  const steps = ciSteps.filter(isNew);
  return [
    ...steps.flatMap((step) => runnerTests(tree, step)),
    ...steps.flatMap((step) => madeTargets(tree, step)),
    ...[...steps, ...guides.filter(isNew)].flatMap((step) => ownPrograms(tree, step)),
  ];
}

/** A runner that CI calls can be called by anyone; its options are CI's own. */
function runnerTests(tree: Tree, { command, folder, source }: CiCommand): readonly RepositoryCommand[] {
  const found = recognise(command);
  const call = found?.call.replaceAll(/ -\S+/g, "") ?? "";
  // Of what follows a program, options and variables are left out: what remains must still be a test.
  if (found?.kind !== "test" || recognise(call)?.kind !== "test" || call.includes("$")) return [];
  // By itself it runs the tests, and with the name of a task that task.
  if (/(?:^|\/)rake$/.test(call) && / \w/.test(command)) return [];
  const { languages } = found;
  return [{ ...NAMED, command: `${startOf(tree, folder, call)}${call}`, folder, source, languages, runs: command }];
}

/** Programs of installed packages are started by the package manager. */
function startOf(tree: Tree, folder: string, call: string): string {
  const [program = ""] = call.split(" ");
  if (NODE_RUNNERS.has(program)) return nodeProgram(tree, folder, "");
  if (PYTHON_RUNNERS.has(program)) return pythonProgram(tree, folder, "");
  return RUBY_RUNNERS.has(program) && (tree.has("Gemfile") || tree.has(pathIn(folder, "Gemfile")))
    ? "bundle exec "
    : "";
}

const NODE_RUNNERS = new Set("vitest jest mocha ava tap uvu jasmine qunit wtr karma playwright cypress ng".split(" "));
const PYTHON_RUNNERS = new Set("pytest nox tox unittest behave".split(" "));
const RUBY_RUNNERS = new Set("rspec rake cucumber minitest".split(" "));

/** A target of a Makefile that is not tracked, because it is made by `configure` or the like. */
function madeTargets(tree: Tree, { command, folder, source }: CiCommand): readonly RepositoryCommand[] {
  const target = /^make (?:-j ?\S* )?(tests?|check)$/.exec(command)?.[1];
  const isMade = target !== undefined && !tree.named(MAKEFILE).some((path) => folderOf(path) === folder);
  return isMade ? [{ ...NAMED, command: `make ${target}`, folder, source, languages: [], runs: null }] : [];
}

const MAKEFILE = /^(?:GNU)?[Mm]akefile$/;

/** A program of the repository that takes the word `test`, as an operand or an option: `./x.py test`, `./build.sh --test`. */
const TAKES_TEST = /^((?:\.\/)?([\w.-]+(?:\/[\w.-]+)*))(?: (?:-\S+ )*(--?tests?)| (tests?))(?= |$)/;

/** A script that CI runs, of a name like `test-backend`. */
const TEST_SCRIPT = /^(?:\.\/)?((?:[\w.-]+\/)*(?:run[-_])?tests?[-_][\w-]+)(?= |$)/;

/** Programs that CI or a guide starts, if the repository has them. */
function ownPrograms(tree: Tree, { command, folder }: CiCommand): readonly RepositoryCommand[] {
  if (folder !== "") return [];
  const run = { ...NAMED, folder, runs: null, origin: "declared" } as const;
  const [script, path = ""] = TEST_SCRIPT.exec(command) ?? [];
  if (script !== undefined && tree.has(path))
    return [{ ...run, command: path, source: path, name: nameOf(path), languages: languagesOfName(nameOf(path)) }];
  if (/^cargo xtask tests?(?: |$)/.test(command) && tree.has(XTASK))
    return [{ ...run, command: "cargo xtask test", source: XTASK, name: "test", languages: ["rust"] }];
  if (recognise(command) !== null) return [];
  const [, program = "", file = "", option, word = ""] = TAKES_TEST.exec(command) ?? [];
  const call = `${program} ${option ?? word}`;
  return tree.has(file) ? [{ ...run, command: call, source: file, name: "test", languages: [] }] : [];
}

/** A program of the workspace for its own chores; by custom it is called `xtask`. */
const XTASK = "xtask/Cargo.toml";

const NAMED = { kind: "test", name: "", isAssumed: false, origin: "ci" } as const;
