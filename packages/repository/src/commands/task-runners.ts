import type { Language } from "@agent-checkpoint/reports";
import { dig, entriesOf, textsIn } from "../files/parsers.ts";
import { folderOf, nameOf, pathIn, type Tree } from "../files/tree.ts";
import { packageManager, pythonManager } from "../files/package-manager.ts";

/** A script, target or recipe as its file declares it. */
export interface Task {
  /** The task runner, by which other tasks refer to it. */
  readonly runner: string;
  readonly name: string;
  readonly command: string;
  readonly folder: string;
  readonly source: string;
  /** What it runs, as shell text; null if its file does not say. */
  readonly body: string | null;
  readonly languages: readonly Language[];
}

/** A kind of file that declares tasks. */
export interface TaskRunner {
  readonly id: string;
  /** Names of its files. */
  readonly files: string;
  /** What its tasks are called in the file: `target`. */
  readonly noun: string;
  readonly languages: readonly Language[];
  /** How a task is started. */
  readonly start: (name: string, tree: Tree, folder: string) => string;
  /** Names and bodies of its tasks. */
  readonly read: (tree: Tree, path: string) => readonly (readonly [name: string, body: string | null])[];
}

/** The task runners that are known. */
export const TASK_RUNNERS: readonly TaskRunner[] = [
  {
    id: "npm",
    files: "package.json",
    noun: "scripts",
    languages: ["javascript"],
    start: (name, tree, folder) => startScript(packageManager(tree, folder)?.name ?? "npm", name),
    read: (tree, path) => tasksIn(dig(tree.data(path), "scripts")),
  },
  {
    id: "deno",
    files: "deno.json deno.jsonc",
    noun: "tasks",
    languages: ["javascript"],
    start: (name) => `deno task ${name}`,
    read: (tree, path) => tasksIn(dig(tree.data(path), "tasks"), ["command"]),
  },
  {
    id: "composer",
    files: "composer.json",
    noun: "scripts",
    languages: ["php"],
    start: (name) => `composer ${name}`,
    read: (tree, path) =>
      tasksIn(dig(tree.data(path), "scripts")).map(([name, body]) => [name, body.replaceAll(/^@(?=php )/gm, "")]),
  },
  {
    id: "make",
    files: "Makefile makefile GNUmakefile Makefile.am Makefile.in Makefile.pre.in GNUmakefile.in",
    noun: "target",
    languages: [],
    start: (name) => `make ${name}`,
    read: (tree, path) =>
      recipes(withIncludes(tree, path), /^([A-Za-z0-9][\w./ -]*?)\s*(?:::|:)(?![=:])([^=\n]*)$/, "make"),
  },
  {
    id: "ant",
    files: "build.xml",
    noun: "target",
    languages: ["java"],
    start: (name) => `ant ${name}`,
    read: (tree, path) => matches(tree, path, /<target\b[^>]*?\bname="([\w.-]+)"/g),
  },
  {
    id: "just",
    files: "justfile Justfile .justfile .Justfile",
    noun: "recipe",
    languages: [],
    start: (name) => `just ${name}`,
    read: (tree, path) => recipes(tree.read(path) ?? "", /^@?([A-Za-z][\w-]*)(?: [^:=]*)?:(?!=)([^\n]*)$/, "just"),
  },
  {
    id: "task",
    files: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
    noun: "tasks",
    languages: [],
    start: (name) => `task ${name}`,
    read: (tree, path) => tasksIn(dig(tree.data(path), "tasks"), ["cmd", "cmds", "deps"]),
  },
  {
    id: "mise",
    files: "mise.toml .mise.toml",
    noun: "tasks",
    languages: [],
    start: (name) => `mise run ${name}`,
    read: (tree, path) => tasksIn(dig(tree.data(path), "tasks"), ["run"]),
  },
  {
    id: "melos",
    files: "melos.yaml pubspec.yaml",
    noun: "scripts",
    languages: ["dart"],
    start: (name) => `melos run ${name}`,
    read: (tree, path) =>
      tasksIn(dig(tree.data(path), ...(path.endsWith("melos.yaml") ? [] : ["melos"]), "scripts"), ["run", "exec"]),
  },
  {
    id: "cargo-make",
    files: "Makefile.toml",
    noun: "tasks",
    languages: ["rust"],
    start: (name) => `cargo make ${name}`,
    read: (tree, path) => names(Object.keys(dig(tree.data(path), "tasks") ?? {})),
  },
  {
    id: "cargo",
    files: "config.toml",
    noun: "alias",
    languages: ["rust"],
    start: (name) => `cargo ${name}`,
    read: (tree, path) =>
      folderOf(path).endsWith(".cargo")
        ? tasksIn(dig(tree.data(path), "alias")).map(([name, body]) => [name, `cargo ${body.replaceAll("\n", " ")}`])
        : [],
  },
  {
    id: "tox",
    files: "tox.ini tox.toml setup.cfg pyproject.toml",
    noun: "environments",
    languages: ["python"],
    start: (name) => (name === "" ? "tox" : `tox -e ${name}`),
    read: (tree, path) => toxEnvironments(tree, path),
  },
  {
    id: "nox",
    files: "noxfile.py",
    noun: "session",
    languages: ["python"],
    start: (name) => (name === "" ? "nox" : `nox -s ${name}`),
    read: (tree, path) => [["", "nox"], ...matches(tree, path, /@nox\.session[^\n]*\n(?:@[^\n]*\n)*def (\w+)/g)],
  },
  ...pyprojectRunners([
    ["poe", ["tool", "poe", "tasks"], "poe"],
    ["pdm", ["tool", "pdm", "scripts"], "pdm run"],
    ["rye", ["tool", "rye", "scripts"], "rye run"],
    ["taskipy", ["tool", "taskipy", "tasks"], "task"],
  ]),
  {
    id: "hatch",
    files: "hatch.toml pyproject.toml",
    noun: "script",
    languages: ["python"],
    start: (name) => `hatch run ${name}`,
    read: (tree, path) =>
      hatchEnvironments(tree, path).flatMap(([environment, settings]) =>
        tasksIn(dig(settings, "scripts")).map(([name, body]) => [
          environment === "default" ? name : `${environment}:${name}`,
          body,
        ]),
      ),
  },
  {
    id: "hatch-test",
    files: "hatch.toml pyproject.toml",
    noun: "environment hatch-test, script",
    languages: ["python"],
    start: (name) => `hatch ${name}`,
    read: (tree, path) =>
      hatchEnvironments(tree, path).some(([name]) => name === "hatch-test") ? [["test", "pytest"]] : [],
  },
  {
    id: "spin",
    files: "pyproject.toml",
    noun: "tool.spin command",
    languages: ["python"],
    start: (name) => `spin ${name}`,
    read: (tree, path) =>
      names(
        entriesOf(dig(tree.data(path), "tool", "spin", "commands"))
          .flatMap(([, commands]) => textsIn(commands))
          .flatMap((command) => /[.:](\w+)$/.exec(command)?.[1] ?? []),
      ),
  },
  {
    id: "pixi",
    files: "pixi.toml pyproject.toml",
    noun: "tasks",
    languages: [],
    start: (name) => `pixi run ${name}`,
    read: (tree, path) => pixiTasks(dig(tree.data(path), ...(path.endsWith("pixi.toml") ? [] : ["tool", "pixi"]))),
  },
  {
    id: "mage",
    files: "magefile.go",
    noun: "target",
    languages: ["go"],
    start: (name) => `mage ${name}`,
    read: (tree, path) =>
      matches(tree, path, /^func ([A-Z]\w*)\(/gm).map(([name]) => [
        `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
        null,
      ]),
  },
  {
    id: "fastlane",
    files: "Fastfile",
    noun: "lane",
    languages: ["swift"],
    start: (name, tree, folder) => `${tree.has(pathIn(folder, "Gemfile")) ? "bundle exec " : ""}fastlane ${name}`,
    read: (tree, path) => matches(tree, path, /^\s*lane\s*\(?:(\w+)/gm),
  },
  {
    id: "mix",
    files: "mix.exs",
    noun: "alias",
    languages: ["elixir"],
    start: (name) => `mix ${name}`,
    read: (tree, path) => mixAliases(tree.read(path) ?? ""),
  },
  {
    id: "rake",
    files: "Rakefile rakefile Rakefile.rb rakefile.rb",
    noun: "task",
    languages: ["ruby"],
    start: (name, tree, folder) =>
      `${tree.has(pathIn(folder, "Gemfile")) || tree.has("Gemfile") ? "bundle exec " : ""}rake ${name}`,
    read: (tree, path) =>
      matches(
        tree,
        path,
        /^\s*(?:task|multitask)[ (]+(?::|["'])?([\w:]+?)["']?(?=[\s,)]|:? |=>|$)|(?:TestTask|RakeTask)\.new\(?:?["']?(\w+)/gm,
      ),
  },
];

/** Names of scripts that run tests, and the folders where repositories have theirs. */
const SCRIPT =
  /^(?:run[-_]?)?(?:unit[-_]?)?tests?(?:[-_]all)?(?:\.(?:sh|bash))?$|^run[-_]?(?:unit[-_]?)?tests?(?:[-_]all)?\.(?:py|rb)$|^(?:rspec|qunit|phpunit|pytest)$/;
const SCRIPT_FOLDER = /^(?:scripts?|bin|tools?|ci|hack|tests?|dev)$/;
const SCRIPT_LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/\.py$|^pytest$/, "python"],
  [/\.rb$|^rspec$/, "ruby"],
  [/^qunit$/, "javascript"],
  [/^phpunit$/, "php"],
];

const MAX_FILES = 300;
const MAX_TASKS = 3000;

/** The tasks that a repository declares, those nearest to the root first. */
export function readTasks(tree: Tree): readonly Task[] {
  const tasks = TASK_RUNNERS.flatMap((runner) =>
    tree
      .named(runner.files)
      .slice(0, MAX_FILES)
      .flatMap((path) => tasksOf(runner, tree, path)),
  );
  return [...tasks, ...scriptTasks(tree), ...toolTasks(tree)].slice(0, MAX_TASKS);
}

/** Checks that a tool's settings at the root show, a file or a table of one; the hooks of pre-commit can be run without a commit. */
const TOOLS: readonly (readonly [settings: string, name: string, command: string, languages: readonly Language[]])[] = [
  [".pre-commit-config.yaml", "lint", "pre-commit run --all-files", []],
  [".golangci.yml .golangci.yaml .golangci.toml", "golangci-lint", "golangci-lint run", ["go"]],
  [".rubocop.yml", "rubocop", "bundle exec rubocop", ["ruby"]],
  [".credo.exs", "credo", "mix credo", ["elixir"]],
  [".swiftlint.yml", "swiftlint", "swiftlint", ["swift"]],
  ["analysis_options.yaml", "analyze", "dart analyze", ["dart"]],
  ["phpstan.neon phpstan.neon.dist phpstan.dist.neon", "phpstan", "vendor/bin/phpstan analyse", ["php"]],
  ["ruff.toml .ruff.toml pyproject.toml:tool.ruff", "ruff", "ruff check", ["python"]],
];

function toolTasks(tree: Tree): readonly Task[] {
  return TOOLS.flatMap(([settings, name, command, languages]) => {
    const found = settings
      .split(" ")
      .map((place) => place.split(":"))
      .find(([file = "", table]) =>
        table === undefined ? tree.has(file) : dig(tree.data(file), ...table.split(".")) !== undefined,
      );
    if (found === undefined) return [];
    const start = name === "ruff" ? environmentOf(tree, "") : "";
    const body = name === "lint" ? null : command;
    return [
      { runner: "tool", name, command: `${start}${command}`, folder: "", source: found.join(" "), body, languages },
    ];
  });
}

function tasksOf({ id, noun, languages, start, read }: TaskRunner, tree: Tree, path: string): readonly Task[] {
  const folder = id === "cargo" || id === "fastlane" ? folderOf(folderOf(path)) : folderOf(path);
  return (
    read(tree, path)
      // A target with a slash in its name is a file to be made.
      .filter(([name]) => /^(?:[\w@][\w:@./+-]*)?$/.test(name) && !(id === "make" && name.includes("/")))
      .map(([name, body]) => ({
        runner: id,
        name,
        command: start(name, tree, folder),
        folder,
        source: name === "" ? path : `${path} ${noun}${noun.endsWith("s") ? "." : " "}${name}`,
        body,
        languages,
      }))
  );
}

/** Scripts at the root or beside a manifest, started from there. */
function scriptTasks(tree: Tree): readonly Task[] {
  return tree.named(SCRIPT).flatMap((path): readonly Task[] => {
    const own = folderOf(path);
    const folder = SCRIPT_FOLDER.test(nameOf(own)) ? folderOf(own) : own;
    if (folder !== "" && !MANIFESTS.some((name) => tree.has(pathIn(folder, name)))) return [];
    const inner = folder === "" ? path : path.slice(folder.length + 1);
    const languages = SCRIPT_LANGUAGES.filter(([pattern]) => pattern.test(nameOf(path))).map(
      ([, language]) => language,
    );
    return [
      {
        runner: "script",
        name: nameOf(path),
        command: startFile(inner),
        folder,
        source: path,
        body: tree.read(path),
        languages,
      },
    ];
  });
}

const MANIFESTS = ["pyproject.toml", "package.json", "go.mod", "Cargo.toml", "composer.json", "setup.py", "mix.exs"];

function startFile(path: string): string {
  return path.includes("/") ? path : `./${path}`;
}

/** How a script of package.json is started. */
export function startScript(manager: string, name: string): string {
  if (manager === "bun") return `bun run ${name}`;
  return name === "test" || manager === "yarn" ? `${manager} ${name}` : `${manager} run ${name}`;
}

function tasksIn(table: unknown, keys: readonly string[] = []): readonly (readonly [string, string])[] {
  return entriesOf(table).map(([name, task]) => [name, textsIn(task, keys).join("\n")]);
}

function names(list: readonly string[]): readonly (readonly [string, null])[] {
  return [...new Set(list)].map((name) => [name, null]);
}

function matches(tree: Tree, path: string, pattern: RegExp): readonly (readonly [string, null])[] {
  return names([...(tree.read(path) ?? "").matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? []));
}

/** Recipes of a Makefile or justfile: a head with prerequisites, then indented lines. */
function recipes(text: string, head: RegExp, runner: string): readonly (readonly [string, string | null])[] {
  const found = new Map<string, string[]>();
  const variables = variablesIn(text);
  let lines: string[] = [];
  for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) {
    const match = head.exec(line);
    if (match !== null) {
      const [, heads = "", needs = ""] = match;
      const before = needs
        .replace(/[;#].*$/, "")
        .split(/[\s|&]+/)
        .filter((word) => /^[\w-]+$/.test(word));
      const names = heads.split(" ");
      lines = [...(found.get(names[0] ?? "") ?? []), ...before.map((word) => `${runner} ${word}`)];
      for (const name of names) found.set(name, lines);
    } else if (/^\s+\S/.test(line)) {
      lines.push(valueOf(line.trim().replace(/^[@-]+/, ""), variables));
    }
  }
  return [...found].map(([name, body]) => [name, body.length === 0 ? null : body.join("\n")]);
}

/** The variables of a Makefile, the first value of each. */
function variablesIn(text: string): ReadonlyMap<string, string> {
  const values = [...text.matchAll(/^([A-Z]\w*)\s*(?:[?:]|::)?=[ \t]*([^\n#]*?)\s*$/gm)];
  return new Map(values.toReversed().map(([, name = "", value = ""]) => [name, value]));
}

const VARIABLE = /\$[({]([A-Z]\w*)[)}]/g;

/** Variables that Makefiles have for programs, whether they define them or not. */
const PROGRAMS = new Set("MAKE GO CARGO PYTHON PYTEST NODE NPM PNPM YARN MIX BUNDLE DOTNET CTEST".split(" "));

const MAX_DEPTH = 3;
const MAX_VALUE = 500;

/** A line with the values of its variables; one that stands for nothing known is left. */
function valueOf(line: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return line.replaceAll(VARIABLE, (word, name: string) => {
    const value = variables.get(name) ?? "";
    if (value !== "" && value.length < MAX_VALUE && !value.includes("$(shell") && depth < MAX_DEPTH)
      return valueOf(value, variables, depth + 1);
    return PROGRAMS.has(name) ? name.toLowerCase() : word;
  });
}

/** A Makefile with the files that it includes by name. */
function withIncludes(tree: Tree, path: string): string {
  const text = tree.read(path) ?? "";
  const included = [...text.matchAll(/^[-s]?include\s+(?:\$[({]\w+[)}]\/)?([\w./-]+)\s*$/gm)].map(
    ([, file = ""]) => tree.read(pathIn(folderOf(path), file)) ?? "",
  );
  return [text, ...included].join("\n");
}

function toxEnvironments(tree: Tree, path: string): readonly (readonly [string, string | null])[] {
  if (path.endsWith(".toml")) {
    const table = path.endsWith("pyproject.toml") ? dig(tree.data(path), "tool", "tox") : tree.data(path);
    if (entriesOf(table).length === 0) return [];
    return [["", "tox"], ...names(Object.keys(dig(table, "env") ?? {}))];
  }
  const text = tree.read(path) ?? "";
  const main = path.endsWith("setup.cfg") ? /^\[tox:tox\]/m : /^\[(?:tox|testenv)\]/m;
  if (!main.test(text)) return [];
  return [["", "tox"], ...names([...text.matchAll(/^\[testenv:([\w.-]+)\]/gm)].flatMap(([, name]) => name ?? []))];
}

function pyprojectRunners(
  rows: readonly (readonly [id: string, table: readonly string[], start: string])[],
): readonly TaskRunner[] {
  return rows.map(([id, table, start]) => ({
    id,
    files: "pyproject.toml",
    noun: `${table.slice(0, 2).join(".")} task`,
    languages: ["python"],
    start: (name, tree, folder) => `${IN_ENVIRONMENT.has(id) ? environmentOf(tree, folder) : ""}${start} ${name}`,
    read: (tree, path) =>
      tasksIn(dig(tree.data(path), ...table), [
        "cmd",
        "shell",
        "sequence",
        "ref",
        "script",
        "composite",
        "depends-on",
        "chain",
      ]),
  }));
}

/** The tasks of every environment, and those that only come with a feature. */
function pixiTasks(settings: unknown): readonly (readonly [string, string])[] {
  const features = entriesOf(dig(settings, "feature")).map(([, feature]) => feature);
  return [settings, ...features].flatMap((part) => tasksIn(dig(part, "tasks"), ["cmd", "depends-on"]));
}

/** Task runners that are packages of the environment themselves. */
const IN_ENVIRONMENT = new Set(["poe", "taskipy"]);

function environmentOf(tree: Tree, folder: string): string {
  const manager = pythonManager(tree, folder);
  return manager === null ? "" : `${manager} run `;
}

function hatchEnvironments(tree: Tree, path: string): readonly (readonly [string, unknown])[] {
  return entriesOf(dig(tree.data(path), ...(path.endsWith("pyproject.toml") ? ["tool", "hatch"] : []), "envs"));
}

/** `test: ["ecto.create --quiet", "test"]`, as far as the file keeps to the usual form. */
function mixAliases(text: string): readonly (readonly [string, string | null])[] {
  const block =
    /defp? aliases(?:\(\))?(?:,)? do([\s\S]*?)\n  end/.exec(text)?.[1] ??
    /aliases: \[([\s\S]*?)\n\s*\]/.exec(text)?.[1] ??
    "";
  return [...block.matchAll(/^\s*"?([a-z][\w.]*)"?(?:: | => )\[?([^\]\n]*)/gm)].map(([, name = "", body = ""]) => [
    name,
    [...body.matchAll(/"([^"]+)"/g)].map(([, words]) => `mix ${words}`).join("\n") || null,
  ]);
}
