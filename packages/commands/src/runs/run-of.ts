import type { Language } from "@agent-checkpoint/reports";
import { parseCommandLine, type ShellCommand } from "../shell/parse-command-line.ts";
import { operandsOf } from "../shell/unwrap.ts";
import { VALUED_OPTIONS } from "../shell/wrappers.ts";
import { INTERPRETERS, isInterpreter, NO_RUNNERS, PROGRAMS, type RunKind, SCRIPT_RUNNERS } from "./programs.ts";

/** What a command is run for, and the languages of the code that it looks at. */
export interface Run {
  readonly kind: RunKind;
  /** Empty for any language. */
  readonly languages: readonly Language[];
}

type NamedCommand = Pick<ShellCommand, "argv" | "path">;

/** The scripts and targets that a repository declares. */
export interface Declared {
  readonly commands: readonly {
    readonly name: string;
    /** How it is typed. */
    readonly command?: string;
    readonly kind: string;
    readonly languages: readonly string[];
  }[];
}

/** What a command is run for, by its program, or by the name of the script or target; null if unknown. */
export function runOf(command: NamedCommand, facts: Declared | null = null): Run | null {
  if (!onlyTells(command.argv)) return nameOfRun(command, facts);
  if (!onlyTells(withoutOwnOptions(command.argv))) {
    const run = nameOfRun(command, facts);
    // The options of a program that is run by hand are its own: `go run . --version`.
    if (run?.kind === "run") return run;
  }
  return null;
}

/** The words up to the first operand that names a file or folder: what follows belongs to the program that runs. */
function withoutOwnOptions(argv: readonly string[]): readonly string[] {
  const program = argv.findIndex((word, index) => index > 0 && !word.startsWith("-") && /[./]/.test(word));
  return program === -1 ? argv : argv.slice(0, program + 1);
}

/** The same for a command that only prints what it would do. */
export function nameOfRun(command: NamedCommand, facts: Declared | null = null): Run | null {
  const argv = plain(command.argv);
  const found = byProgram(argv);
  if (found?.kind === "test") return found;
  const known = found?.kind === "run" ? null : found;
  // A target says more than its runner: `cmake --build . --target test`.
  const script = known === null || SCRIPT_RUNNERS.has(argv[0] ?? "") ? byScript(argv, facts) : null;
  if (script?.kind === "test" && (known === null || argv.some(saysTest))) return script;
  return (
    known ??
    script ??
    byInterpreter(argv, facts) ??
    byPath(command) ??
    byFirstWord({ argv, path: command.path }) ??
    byInnerCall(argv, facts) ??
    found ??
    byHand(command)
  );
}

/** `--tests` is also an option of programs that check or build tests. */
function saysTest(word: string): boolean {
  return word !== "--tests" && kindOfName(word) === "test";
}

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ mvnw: "mvn", mvnd: "mvn", gradlew: "gradle", "gradlew.bat": "gradle", bazelisk: "bazel" }),
);

/** `gradlew` is `gradle`, `vitest.mjs` is `vitest`, and `cargo +nightly` is `cargo`. */
function plain([first = "", ...args]: readonly string[]): readonly string[] {
  const name = first.replace(/\.(?:[cm]?js|cmd|bat|ps1)$/, "");
  return [ALIASES.get(name) ?? name, ...args.filter((word) => !word.startsWith("+") || name !== "cargo")];
}

/** The calls of each program, those with the most words first. */
const BY_FIRST_WORD: ReadonlyMap<string, readonly KnownCall[]> = (() => {
  const byFirstWord = new Map<string, KnownCall[]>();
  const calls = PROGRAMS.flatMap((row) => row.calls.map((call) => ({ words: call.split(" "), run: row })));
  for (const call of calls.toSorted((one, other) => other.words.length - one.words.length)) {
    const [program = ""] = call.words;
    const known = byFirstWord.get(program);
    if (known === undefined) byFirstWord.set(program, [call]);
    else known.push(call);
  }
  return byFirstWord;
})();

interface KnownCall {
  readonly words: readonly string[];
  readonly run: Run;
}

/** Programs of which only some subcommands are known: the others are something else. */
function byProgram(argv: readonly string[]): Run | null {
  return knownCall(argv)?.run ?? null;
}

function knownCall([program = "", ...args]: readonly string[]): KnownCall | null {
  const operands = operandsOf(args, VALUED_OPTIONS.get(program) ?? []);
  const fits = (wanted: readonly string[]) =>
    // Without a target the default one runs: `rake`.
    (wanted.length > 1 || !SCRIPT_RUNNERS.has(program) || operands.length === 0) &&
    wanted.slice(1).every((word, index) => (word.startsWith("-") ? args.includes(word) : operands[index] === word));
  const isTarget = (SCRIPT_RUNNERS.has(program) || IN_ANY_PLACE.has(program)) && !isManaging(program, operands[0]);
  const found = BY_FIRST_WORD.get(program)?.find(
    ({ words }) =>
      fits(words) || (isTarget && words.length > 1 && words.slice(1).every((word) => operands.includes(word))),
  );
  return found ?? null;
}

/** Programs whose subcommand may follow operands: `goose postgres "$DSN" up`, `rebar3 as test eunit`. */
const IN_ANY_PLACE: ReadonlySet<string> = new Set(["goose", "rebar3", "pants", "mix", "xcodebuild"]);

/** Build tools whose targets mean the same in every repository, whether it declares them or not. */
const BUILD_TOOLS: ReadonlySet<string> = new Set(
  "gradle mvn sbt mill turbo nx lerna moon cmake ninja cargo xcodebuild melos lein clj clojure rake zig".split(" "),
);

/** A run of a known program or of a build tool's target, with the words that show it. */
export interface KnownRun extends Run {
  readonly words: readonly string[];
}

/** What a command is run for by its program alone, without the names of scripts that a repository has to declare. */
export function knownRun(command: readonly string[]): KnownRun | null {
  const argv = plain(command);
  if (onlyTells(argv)) return null;
  const told = knownCall(argv);
  const wanted = told?.words.slice(1) ?? [];
  const run = (told?.run.kind === "test" ? null : byTarget(argv, told)) ?? told?.run ?? byInterpreter(argv, null);
  if (run === null) return null;
  const isWord = (word: string) => wanted.includes(word) || (run !== told?.run && kindOfName(word) === run.kind);
  const last = argv.findLastIndex((word, index) => index === 0 || isWord(word));
  return { ...run, words: command.slice(0, last + 1) };
}

/** A target says more than its tool, if it says that it tests: `cmake --build . --target test`. */
function byTarget(argv: readonly string[], told: KnownCall | null): Run | null {
  const isSaid = told === null || argv.some(saysTest);
  return isSaid && BUILD_TOOLS.has(argv[0] ?? "") ? byScript(argv, null) : null;
}

/** Words before the name of a script: `npm run`, `yarn workspace api`, `nx run-many`. */
const BEFORE_NAMES: ReadonlySet<string> = new Set([
  "run",
  "run-script",
  "r",
  "task",
  "exec",
  "x",
  "workspaces",
  "foreach",
]);

/** `npm run test:unit`, `make lint test`, `nx run-many -t test`, `mise run test`. */
function byScript(argv: readonly string[], facts: Declared | null): Run | null {
  const [program = "", ...args] = argv;
  const own = SCRIPT_RUNNERS.get(program);
  if (own === undefined) return null;
  const operands = operandsOf(args, [...(VALUED_OPTIONS.get(program) ?? [])]).filter(
    (word, index, all) =>
      !BEFORE_NAMES.has(word) && word !== "workspace" && all[index - 1] !== "workspace" && !/^\w+=/.test(word),
  );
  const inOptions = args.flatMap((word, index) => {
    // Each alias of Clojure is a name of its own: `-X:dev:test`.
    if (/^-[AMTX]:/.test(word)) return word.split(":").slice(1);
    if (/^(?:-t|--target|--targets|-j|--job)$/.test(word)) return (args[index + 1] ?? "").split(",");
    const [, value] = /^(?:--target|--targets|--run|-t)=(.*)$/.exec(word) ?? [];
    return value === undefined ? [] : value.split(",");
  });
  const isNodeRun = program === "node" && args.some((word) => word === "--run" || word.startsWith("--run="));
  if ((program === "node" || program === "deno" || program === "bun") && !isNodeRun && !namesScript(program, args)) {
    const inner = program === "bun" ? runOf({ argv: operands, path: operands[0] ?? "" }, facts) : null;
    return inner;
  }
  const isClean = PACKAGE_MANAGERS.has(program) && operands[0] === "ci";
  if ((isClean || isManaging(program, operands[0])) && !args.includes("run")) return null;
  const called = PACKAGE_MANAGERS.has(program) ? plain(args.slice(args.indexOf(operands[0] ?? ""))) : [];
  const inner = byProgram(called);
  if (inner !== null) return onlyTells(called) ? null : inner;
  const names = TARGETS_IN_ANY_PLACE.has(program)
    ? [...operands.flatMap((word) => word.split(";")), ...inOptions]
    : [...operands.slice(0, 2), ...inOptions];
  const runs = names.flatMap((name) => byName(name, { program, languages: own, facts }) ?? []);
  // Where the first word is a subcommand, it decides: `dotnet build tests/unit`.
  const isFirst = !TARGETS_IN_ANY_PLACE.has(program) && kindOfName(names[0] ?? "") === "build";
  return (isFirst ? undefined : runs.find(({ kind }) => kind === "test")) ?? runs[0] ?? null;
}

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set([
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "composer",
  "poe",
  "pdm",
  "hatch",
]);

/** What package managers do besides running scripts. */
const MANAGING: ReadonlySet<string> = new Set([
  ..."i install add remove rm uninstall un update up upgrade dedupe link why ls list view info outdated publish".split(
    " ",
  ),
  ..."pack create init audit config require lock new generate g query explain help doc get tidy restore".split(" "),
]);

/** Whether a program's first word manages packages or files; a program of targets has no such words: `make generate test`. */
function isManaging(program: string, word = ""): boolean {
  return MANAGING.has(word) && !ONLY_TARGETS.has(program);
}

const ONLY_TARGETS: ReadonlySet<string> = new Set("make gmake just task go-task rake ninja".split(" "));

const TARGETS_IN_ANY_PLACE: ReadonlySet<string> = new Set([
  ..."make gmake just task go-task mvn gradle sbt rake ninja cmake turbo nx lerna mise cargo moon node".split(" "),
  ..."act clj clojure npm pnpm yarn bun zig".split(" "),
]);

function namesScript(program: string, args: readonly string[]): boolean {
  const [first = "", second = ""] = operandsOf(args, VALUED_OPTIONS.get(program) ?? []);
  return (first === "run" || first === "task") && !/[./]/.test(second);
}

/** What a script or target is for: as the repository declares it, or else by its name. */
function byName(name: string, { program, languages, facts }: Called): Run | null {
  const kind = kindOfName(name);
  const named = facts?.commands.filter((command) => command.name === name) ?? [];
  // Several programs may declare a script of the same name.
  const own = named.filter(({ command = "" }) => command.startsWith(`${program} `));
  const declared = own.length > 0 ? own : named;
  if (kind !== "test" && declared.length > 0) {
    if (declared.some((command) => command.kind === "test"))
      return { kind: "test", languages: languagesOf(declared, languages) };
    if (kind === "maybe-test") return staticRun(declared, languages);
  }
  if (kind === null) return null;
  // A script of package.json says nothing of the target of a build tool for other languages.
  const isRelated = own.length > 0 || languages.length === 0 || languages.includes("javascript");
  return {
    kind: kind === "maybe-test" ? "test" : kind,
    languages: isRelated ? languagesOf(declared, languages) : languages,
  };
}

/** `npm run check` that the repository declares as `svelte-check`. */
function staticRun(declared: Declared["commands"], own: readonly Language[]): Run | null {
  const kind = (["types", "lint", "build"] as const).find((one) => declared.some((command) => command.kind === one));
  return kind === undefined ? null : { kind, languages: languagesOf(declared, own) };
}

/** A script runner that was called, with its languages. */
interface Called {
  readonly program: string;
  readonly languages: readonly Language[];
  readonly facts: Declared | null;
}

function languagesOf(declared: Declared["commands"], own: readonly Language[]): readonly Language[] {
  if (declared.length === 0) return own;
  const isAny = declared.every(({ command }) => command === declared[0]?.command) && declared.some(isForAny);
  return isAny ? [] : ([...new Set(declared.flatMap((command) => command.languages))] as Language[]);
}

function isForAny({ languages }: Declared["commands"][number]): boolean {
  return languages.length === 0;
}

const NAMES: readonly { readonly kind: RunKind | "maybe-test"; readonly word: RegExp }[] = [
  { kind: "lint", word: /^lint/ },
  { kind: "types", word: /^(?:type|types|typecheck|tsc|mypy)$/ },
  { kind: "format", word: /^(?:format|fmt|prettier)$/ },
  {
    kind: "test",
    word: /^(?:(?:unit|run|quick|self|smoke|all)?tests?|smoke|testing|tested|specs?|pytest|vitest|jest|nextest|e2e|testonly|eunit|ct)$/,
  },
  { kind: "migrate", word: /^migrat(?:e|ions?)$/ },
  {
    kind: "maybe-test",
    word: /^(?:checks?|verify|ci|cibuild|unit|units|validate|preflight|qa|integration|prepush|precommit)$/,
  },
  { kind: "build", word: /^(?:build|compile|dist|bundle|assemble)$/ },
];

/** `test:unit`, `run-tests`, `:app:testDebugUnitTest`, `check-types`. */
export function kindOfName(name: string): RunKind | "maybe-test" | null {
  const words = name
    .replace(/^:.*:/, "")
    // Gradle's `installDebug` assembles what it installs.
    .replace(/^install(?=[A-Z])/, "assemble")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const isTest = !words.some((word) => ABOUT_TESTS.test(word)) || words.includes("and");
  return (
    NAMES.find(({ kind, word }) => (isTest || !kind.endsWith("test")) && words.some((one) => word.test(one)))?.kind ??
    null
  );
}

/** Words in a name with `test` that does something other than run tests: `test:watch`, `compileTestJava`, `seed-test-data`. */
const ABOUT_TESTS =
  /^(?:watch|install|setup|prepare|build|compile|start|dev|serve|seed|clean|generate|gen|create|make|new|deploy|deps|data|fixtures?|results?|reports?)$/;

/** `python tests/run.py`, `node node_modules/mocha/bin/mocha.js`, `bash scripts/test.sh`, `php artisan test`. */
function byInterpreter(argv: readonly string[], facts: Declared | null): Run | null {
  const [program = "", ...args] = argv;
  const bare = program.replace(/[\d.]+$/, "");
  const isGoRun = program === "go" && args[0] === "run";
  const languages = isGoRun ? (["go"] as const) : (INTERPRETERS.get(program) ?? INTERPRETERS.get(bare));
  if (languages === undefined) return null;
  const preloads = bare === "nim" ? [] : ["--import", "--require", "-r", "--loader"];
  const script = operandsOf(args, [...preloads, "-X", "-W", "-c", "-e"]);
  const [path = ""] = script[0] === "run" || script[0] === "c" ? script.slice(1) : script;
  if (path === "") return INLINE_TESTS.test(args.join(" ")) ? { kind: "test", languages } : null;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/@.*$/, "");
  const inner = runOf({ argv: [name, ...script.slice(script.indexOf(path) + 1)], path }, facts);
  return inner === null || inner.languages.length > 0 ? inner : { ...inner, languages };
}

/** Calls of a test library in an inline program. */
const INLINE_TESTS =
  /\bdevtools::test\(|\btestthat::test_|\bPkg\.test\(|\bInvoke-Pester\b|\bunittest\.main\(|\bpytest\.main\(/;

/** A script or program with such a name: `./scripts/test.sh`, `bin/test`, `./build/tests/unit_tests`. */
function byPath({ path, argv }: NamedCommand): Run | null {
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? "";
  const isOwn = parts.length > 1 && !/^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path);
  if (
    (NO_RUNNERS.has(argv[0] ?? "") && !isOwn) ||
    (parts.length === 1 && !/\.(?:sh|bash|py|rb|js|ts|mjs|ps1|bat|cmd|pl)$/.test(name))
  )
    return null;
  const kind = kindOfName(name.replace(/\.\w+$/, ""));
  if (kind === "test" || kind === "maybe-test") return { kind: "test", languages: [] };
  const isInTests = parts.slice(0, -1).some((part) => /^(?:tests?|specs?|__tests__)$/.test(part));
  return isInTests ? { kind: "test", languages: [] } : null;
}

/** `./dev test`, `tuist test`, `./build.sh --test`, `ansible-test`: an unknown program that is told to test, or has such a name. */
function byFirstWord({ argv: [program = "", ...args], path }: NamedCommand): Run | null {
  const isOwn = /^(?!\/).*\//.test(path);
  if (NO_RUNNERS.has(program) && !isOwn) return null;
  const [first = "", second = ""] = operandsOf(args, ["-C", "--dir", "--cwd"]);
  const word = first === "run" || first === "tool" || first === "run-all" ? second : first;
  // A word after an option may be its value, and `tests` is a folder more often than a subcommand.
  const isSubcommand =
    args[0] === first &&
    ((program === "mix" ? /^test\.\w+$/ : /^test(?:[:-]\w+)*$/).test(word) || (path.includes("/") && word === "tests"));
  const isBuild = isOwn && /^build(?:\.|$)/.test(program) && args.some((word) => /^--?(?:run-?)?tests?$/i.test(word));
  const isTest = isBuild || (isSubcommand && kindOfName(word) === "test") || kindOfName(program) === "test";
  return isTest ? { kind: "test", languages: [] } : null;
}

/** `firebase emulators:exec "npm test"`, `lando phpunit`: what an unknown program is given to run. */
function byInnerCall([program = "", ...args]: readonly string[], facts: Declared | null): Run | null {
  const isContainer = CONTAINERS.has(program) && args.some((word) => word === "run" || word === "exec");
  const isNone = isInterpreter(program) || BY_FIRST_WORD.has(program) || args.some((word) => MANAGING.has(word));
  if (isNone || (NO_RUNNERS.has(program) && !isContainer)) return null;
  const words = args.slice(0, MAX_WORDS);
  const tests = words.flatMap((word, index): readonly (Run | null)[] =>
    word.includes(" ")
      ? parseCommandLine(word.slice(0, MAX_LENGTH)).map((inner) => runOf(inner, facts))
      : [innerRun(plain(words.slice(index)), facts)],
  );
  return tests.find((run) => run?.kind === "test") ?? null;
}

function innerRun(argv: readonly string[], facts: Declared | null): Run | null {
  return knownCall(argv)?.run ?? byScript(argv, facts);
}

/** Wrappers stand before what they run, and what they run is short. */
const MAX_WORDS = 16;
const MAX_LENGTH = 300;

const CONTAINERS: ReadonlySet<string> = new Set(["docker", "docker-compose", "podman", "kubectl"]);

/** `python scripts/sync.py`, `node -e "…"`, `python -m tools.sync`, `./tool.sh`: a program of the project, whatever it does. */
function byHand({ argv: [program = "", ...args], path }: NamedCommand): Run | null {
  const languages = INTERPRETERS.get(program) ?? INTERPRETERS.get(program.replace(/[\d.]+$/, ""));
  if (languages !== undefined) return args.length === 0 ? null : { kind: "run", languages };
  const isOwn = /^(?!\/(?:usr|bin|sbin)\/).*\/[^/]+$/.test(path) || /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(program);
  return isOwn && !NO_RUNNERS.has(program) ? { kind: "run", languages: [] } : null;
}

/** Words with which a command explains, lists or prepares and runs nothing, whatever the program. */
const ANYWHERE =
  /^(?:--help|--version|--dry-?run|--dry(?:=.*)?|--collect-?only|--co|--list-?tests|--listTests|--list|--no-run|--setup-plan|--fixtures|--markers|--showConfig|--show-config|--print-config|--init|--clearCache|--clear-cache|--show-only|--just-print|--recon|--question|--listenvs|--listenvs-all|--skip-tests|--graph|--list-sessions|--count|--eval-all|-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-Dmaven\.test\.skip\.exec(?:=true)?|-list(?:=.*)?)$/;

/** Options of one letter, which mean other things elsewhere, and subcommands that list. */
const BY_PROGRAM: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["-n", "-q", "-p", "-t", "--touch"],
    gmake: ["-n", "-q", "-p", "-t", "--touch"],
    pytest: ["-h", "-V"],
    just: ["-l", "-n", "--show", "--evaluate"],
    task: ["-n", "-l", "-a"],
    pip: ["-h"],
    ctest: ["-N"],
    go: ["-c", "-n"],
    rake: ["-T", "-P", "-n", "-D"],
    gradle: ["-m"],
    bash: ["-n"],
    sh: ["-n"],
    zsh: ["-n"],
    tox: ["-l", "-a", "list", "config"],
    nox: ["-l"],
    vitest: ["list", "init"],
    jest: ["-h"],
    playwright: ["install", "show-report", "codegen"],
    cypress: ["open", "verify", "install"],
    "cargo nextest": ["list", "show-config"],
    swift: ["list"],
    bats: ["-c"],
    pest: ["--init"],
    dotnet: ["-t"],
  }),
);

const NO_GO_TEST = /-run[= ](?:\^?\$|X+|NONE|none)(?: |$)/;

/** Whether a command only prints what it would do: `make -n restart`, `jest --showConfig`, `gradle build -x test`. */
export function onlyTells(argv: readonly string[]): boolean {
  const [program = "", ...args] = argv;
  const short = new Set([...(BY_PROGRAM.get(program) ?? []), ...(BY_PROGRAM.get(`${program} ${args[0] ?? ""}`) ?? [])]);
  // Benchmarks without tests.
  if (program === "go" && /-bench\b/.test(args.join(" ")) && NO_GO_TEST.test(args.join(" "))) return true;
  return args.some(
    (word, index) =>
      ANYWHERE.test(word) ||
      short.has(word) ||
      ((word === "-x" || word === "--exclude-task") && /(?:^|:)(?:test|check)$/.test(args[index + 1] ?? "")),
  );
}
