/** Words with which a command tells, lists or prepares, and runs nothing; whatever the program. */
const ANYWHERE =
  /^(?:--help|--version|--dry-?run|--dry|--collect-?only|--co|--list-?tests|--listTests|--list|--no-run|--setup-plan|--fixtures|--markers|--showConfig|--show-config|--print-config|--init|--clearCache|--clear-cache|--show-only|--just-print|--recon|--question|--listenvs|--listenvs-all|--skip-tests|--graph|--summary|--list-sessions|--count|--eval-all|-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-Dmaven\.test\.skip\.exec(?:=true)?|-list(?:=.*)?)$/;

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

/** Whether a command only tells what it would do: `make -n restart`, `jest --showConfig`, `gradle build -x test`. */
export function onlyTells(argv: readonly string[]): boolean {
  const [program = "", ...args] = argv;
  const short = [...(BY_PROGRAM.get(program) ?? []), ...(BY_PROGRAM.get(`${program} ${args[0] ?? ""}`) ?? [])];
  return args.some(
    (word, index) =>
      ANYWHERE.test(word) ||
      short.includes(word) ||
      ((word === "-x" || word === "--exclude-task") && /(?:^|:)(?:test|check)$/.test(args[index + 1] ?? "")),
  );
}
