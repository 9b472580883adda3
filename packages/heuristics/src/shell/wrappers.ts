/** A program that only starts another one. */
export interface Wrapper {
  /** The words it is called by. */
  readonly words: readonly string[];
  /** Its options that take a value in the next word. */
  readonly valued?: readonly string[];
  /** How many words of its own follow the options: `timeout 30 …` has one. */
  readonly operands?: number;
  /** Whether `NAME=value` words may stand before the program. */
  readonly assignments?: boolean;
}

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
  { words: ["command"] },
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
  { words: ["coverage", "run"], valued: ["--source", "--omit", "--include", "--rcfile"] },
  { words: ["npx"], valued: ["-p", "--package"] },
  { words: ["bunx"] },
  { words: ["pnpm", "exec"] },
  { words: ["pnpm", "dlx"] },
  { words: ["npm", "exec"], valued: ["-p", "--package", "-w", "--workspace"] },
  { words: ["yarn", "exec"] },
  { words: ["yarn", "dlx"] },
  { words: ["bundle", "exec"] },
  { words: ["direnv", "exec"], operands: 1 },
  { words: ["mise", "exec"] },
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
    docker: ["-H", "--context", "-c"],
    poetry: ["-C", "--directory", "-P", "--project"],
    uv: ["--directory", "--project", "-p", "--python"],
    mvn: ["-f", "-P", "-pl"],
    gradle: ["-p", "--project-dir", "-x", "--exclude-task"],
    gradlew: ["-p", "--project-dir", "-x", "--exclude-task"],
    just: ["-f", "--justfile", "-d", "--working-directory"],
    task: ["-d", "-t"],
    turbo: ["--filter", "-F"],
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
