/** A program that only starts another one. */
export interface Wrapper {
  /** The words it is called by. */
  readonly words: readonly string[];
  /** Its options that take a value in the next word. */
  readonly valued?: readonly string[];
  /** How many words of its own follow the options: `timeout 30 …` has one. */
  readonly operands?: number;
  /** Words that are followed by the program, whatever comes before them. */
  readonly until?: readonly string[];
  /** Options with which it starts nothing. */
  readonly tells?: readonly string[];
  /** Whether `NAME=value` words may stand before the program. */
  readonly assignments?: boolean;
}

const CONTAINER_OPTIONS = [
  ..."-e --env --env-file -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --platform".split(
    " ",
  ),
  ..."--mount -f --file --profile --index".split(" "),
];

/** Programs that run what follows them; the longer name stands before the shorter. */
export const WRAPPERS: readonly Wrapper[] = [
  { words: ["sudo"], valued: ["-u", "-g", "-C", "-h", "-p", "-D"], assignments: true },
  { words: ["doas"], valued: ["-u", "-C"] },
  { words: ["timeout"], valued: ["-s", "-k", "--signal", "--kill-after"], operands: 1 },
  { words: ["gtimeout"], valued: ["-s", "-k", "--signal", "--kill-after"], operands: 1 },
  { words: ["env"], valued: ["-u", "-C", "-S", "--unset", "--chdir"], assignments: true },
  { words: ["nice"], valued: ["-n", "--adjustment"] },
  { words: ["ionice"], valued: ["-c", "-n"] },
  { words: ["time"], valued: ["-f", "-o"] },
  { words: ["nohup"] },
  { words: ["exec"] },
  { words: ["command"], tells: ["-v", "-V"] },
  { words: ["setsid"] },
  { words: ["chronic"] },
  { words: ["arch"] },
  { words: ["builtin"] },
  { words: ["stdbuf"], valued: ["-i", "-o", "-e"] },
  { words: ["unbuffer"] },
  { words: ["xvfb-run"], valued: ["-n", "-s", "-e", "-f"] },
  { words: ["caffeinate"], valued: ["-t"] },
  {
    words: ["uv", "run"],
    valued: ["--with", "--extra", "--group", "-p", "--python", "--env-file", "--directory", "--project", "--package"],
  },
  { words: ["poetry", "run"] },
  { words: ["pipenv", "run"] },
  { words: ["pdm", "run"] },
  { words: ["rye", "run"] },
  { words: ["hatch", "run"] },
  { words: ["pixi", "run"] },
  { words: ["conda", "run"], valued: ["-n", "-p", "--name", "--prefix"] },
  { words: ["uvx"], valued: ["--with", "--from", "-p", "--python"] },
  { words: ["uv", "tool", "run"], valued: ["--with", "--from", "-p", "--python"] },
  { words: ["pipx", "run"] },
  { words: ["coverage", "run"], valued: ["--source", "--omit", "--include", "--rcfile"] },
  { words: ["corepack"] },
  { words: ["fnm", "exec"], valued: ["--using"] },
  { words: ["volta", "run"], valued: ["--node", "--npm"] },
  { words: ["nvm", "exec"], operands: 1 },
  { words: ["asdf", "exec"] },
  { words: ["opam", "exec"] },
  { words: ["c8"] },
  { words: ["nyc"] },
  { words: ["fvm"] },
  { words: ["xcrun"], valued: ["--sdk"] },
  { words: ["symfony"] },
  { words: ["checkpoint", "proof"], until: ["--"] },
  { words: ["rtk", "test"] },
  { words: ["rtk", "proxy"] },
  { words: ["rtk", "err"] },
  { words: ["rtk"] },
  { words: ["npx"], valued: ["-p", "--package"] },
  { words: ["bunx"] },
  { words: ["pnpm", "exec"] },
  { words: ["pnpm", "dlx"] },
  { words: ["npm", "exec"], valued: ["-p", "--package", "-w", "--workspace"] },
  { words: ["yarn", "exec"] },
  { words: ["yarn", "dlx"] },
  { words: ["bundle", "exec"] },
  { words: ["direnv", "exec"], operands: 1 },
  { words: ["mise", "exec"], until: ["--"] },
  { words: ["mise", "x"], until: ["--"] },
  { words: ["devbox", "run", "--"] },
  { words: ["nix", "develop"], until: ["-c", "--command"] },
  { words: ["nix", "shell"], until: ["-c", "--command"] },
  { words: ["op", "run"], until: ["--"] },
  { words: ["doppler", "run"], until: ["--"] },
  { words: ["infisical", "run"], until: ["--"] },
  { words: ["kubectl", "exec"], until: ["--"] },
  { words: ["docker", "compose", "run"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["docker", "compose", "exec"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["docker-compose", "run"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["docker-compose", "exec"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["docker", "run"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["docker", "exec"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["podman", "run"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["podman", "exec"], valued: CONTAINER_OPTIONS, operands: 1 },
  { words: ["ddev", "exec"] },
  { words: ["wsl"], valued: ["-d", "--distribution", "-u", "--user", "--cd"] },
  { words: ["dotenv"], valued: ["-e", "-f"] },
  { words: ["cross-env"], assignments: true },
];

/** Options before the subcommand that take a value in the next word: `npm --prefix web test`. */
export const VALUED_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["-C", "-f", "-I", "-o", "-W", "--directory", "--file", "--makefile"],
    npm: ["--prefix", "-C", "-w", "--workspace"],
    pnpm: ["-C", "--dir", "-F", "--filter"],
    yarn: ["--cwd"],
    bun: ["--cwd", "--filter"],
    cargo: ["--manifest-path", "-C", "--color", "--config"],
    go: ["-C"],
    git: ["-C", "-c", "--git-dir", "--work-tree"],
    docker: ["-H", "--context", "-c", "-f", "--file", "-p", "--project-name", "--profile", "--env-file"],
    "docker-compose": ["-f", "--file", "-p", "--project-name", "--profile", "--env-file"],
    poetry: ["-C", "--directory", "-P", "--project"],
    uv: ["--directory", "--project", "-p", "--python"],
    mvn: ["-f", "-P", "-pl"],
    gradle: ["-p", "--project-dir", "-x", "--exclude-task"],
    gradlew: ["-p", "--project-dir", "-x", "--exclude-task"],
    just: ["-f", "--justfile", "-d", "--working-directory"],
    task: ["-d", "-t"],
    turbo: ["--filter", "-F"],
    xcodebuild: "-scheme -destination -workspace -project -configuration -sdk -derivedDataPath -testPlan".split(" "),
  }),
);

/** Programs whose operands are all targets to run, in any order: `make lint test`. */
export const TARGET_RUNNERS: ReadonlySet<string> = new Set([
  "make",
  "gmake",
  "just",
  "task",
  "mvn",
  "mvnw",
  "gradle",
  "gradlew",
  "sbt",
  "rake",
  "ninja",
  "turbo",
  "invoke",
  "nox",
]);
