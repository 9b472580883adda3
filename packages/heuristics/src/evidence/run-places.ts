import { joinPath } from "@agent-checkpoint/commands";
import type { PlacedCommand } from "../turn/read-turn.ts";
import type { RepositoryFacts } from "../types.ts";

/** Options that name the folder, or a file in the folder, that a program works in. */
const FOLDER_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["-C", "--directory"],
    gmake: ["-C", "--directory"],
    npm: ["--prefix", "-C"],
    pnpm: ["-C", "--dir"],
    yarn: ["--cwd"],
    bun: ["--cwd"],
    cargo: ["--manifest-path", "-C"],
    go: ["-C"],
    gradle: ["-p", "--project-dir"],
    gradlew: ["-p", "--project-dir"],
    mvn: ["-f", "--file"],
    mvnw: ["-f", "--file"],
    just: ["-d", "--working-directory"],
    task: ["-d", "--dir"],
    swift: ["--package-path"],
    vitest: ["--root", "--dir"],
    jest: ["--rootDir"],
    git: ["-C"],
    pytest: ["--rootdir"],
  }),
);

/** Options that name a package. */
const PACKAGE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    npm: ["-w", "--workspace"],
    pnpm: ["--filter", "-F"],
    bun: ["--filter", "-F"],
    turbo: ["--filter", "-F"],
    lerna: ["--scope"],
    cargo: ["-p", "--package"],
    mvn: ["-pl", "--projects"],
    mvnw: ["-pl", "--projects"],
    nx: ["--projects", "-p"],
  }),
);

/** The folders whose code a command looks at: those of the packages that it names, else the one that it runs in; null if unknown. */
export function runPlaces({ argv, folder }: PlacedCommand, facts: RepositoryFacts | null): readonly string[] | null {
  if (folder === null) return null;
  const [program = "", ...args] = argv;
  const [given] = valuesOf(args, FOLDER_OPTIONS.get(program) ?? []);
  if (given?.includes("$") === true) return null;
  const base = given === undefined ? folder : joinPath(folder, given.replace(/\/?[^/]+\.(?:toml|xml)$/, "") || ".");
  const packages = packagesOf(program, args);
  const named = packages.flatMap((name) => facts?.projects.filter((project) => isCalled(project.folder, name)) ?? []);
  const isKnown = packages.length > 0 && packages.every((name) => named.some((one) => isCalled(one.folder, name)));
  return isKnown ? [...new Set(named.map((project) => joinPath(base, project.folder)))] : [base];
}

function packagesOf(program: string, args: readonly string[]): readonly string[] {
  const named = valuesOf(args, PACKAGE_OPTIONS.get(program) ?? []).flatMap((value) => value.split(","));
  const workspace = program === "yarn" ? valuesOf(args, ["workspace"]) : [];
  const nx = program === "nx" ? args.flatMap((word) => /^([\w@/-]+):\w/.exec(word)?.[1] ?? []) : [];
  return [...named, ...workspace, ...nx];
}

/** `@scope/api`, `./apps/api` and `api...` are the folder `apps/api`. */
function isCalled(folder: string, name: string): boolean {
  const bare = name.replace(/^\.\/|\.\.\.$|^\.\.\./g, "").replace(/\/?\*+$/, "");
  const last = bare.slice(bare.lastIndexOf("/") + 1);
  return folder !== "" && last !== "" && (folder === bare || folder.slice(folder.lastIndexOf("/") + 1) === last);
}

function valuesOf(args: readonly string[], options: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    if (options.includes(word)) return args[index + 1] ?? [];
    const option = options.find((one) => one.startsWith("--") && word.startsWith(`${one}=`));
    return option === undefined ? [] : [word.slice(option.length + 1)];
  });
}
