import { type FileTree, hasFile } from "./file-tree.ts";
import { dig, readData, stringOf } from "./read-data.ts";

/** The program that installs a Node project's packages and runs its scripts. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** What shows it. */
  readonly where: string;
  /** Yarn from 2 on has other commands for workspaces. */
  readonly isModernYarn: boolean;
}

export type PackageManagerName = "npm" | "pnpm" | "yarn" | "bun";

const LOCK_FILES: readonly { readonly file: string; readonly name: PackageManagerName }[] = [
  { file: "pnpm-lock.yaml", name: "pnpm" },
  { file: "pnpm-workspace.yaml", name: "pnpm" },
  { file: "yarn.lock", name: "yarn" },
  { file: "bun.lock", name: "bun" },
  { file: "bun.lockb", name: "bun" },
  { file: "package-lock.json", name: "npm" },
  { file: "npm-shrinkwrap.json", name: "npm" },
];

/** The package manager of a folder, by its manifest's own word, else by its lock file; null where neither tells. */
export function detectPackageManager(tree: FileTree): PackageManager | null {
  const field = stringOf(dig(readData(tree, "package.json"), "packageManager")) ?? "";
  const named = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(field);
  const hasYarnSettings = hasFile(tree, ".yarnrc.yml");
  if (named) {
    const name = named[1] as PackageManagerName;
    return { name, where: "package.json", isModernYarn: name === "yarn" && Number(named[2]) > 1 };
  }
  const lock = LOCK_FILES.find(({ file }) => hasFile(tree, file));
  return lock === undefined
    ? null
    : { name: lock.name, where: lock.file, isModernYarn: lock.name === "yarn" && hasYarnSettings };
}

/** How a command is called: the way that is asked for, and all that count. */
export interface Call {
  readonly run: string;
  readonly evidence: readonly string[];
}

/** How a script of package.json is called. */
export function callScript(manager: PackageManagerName, script: string): Call {
  const isTest = script === "test";
  const npm = isTest ? ["npm test", "npm run test", "npm t"] : [`npm run ${script}`];
  const short = `${manager} ${script}`;
  const long = `${manager} run ${script}`;
  if (manager === "npm") return { run: npm[0] ?? long, evidence: npm };
  if (manager === "bun") return { run: long, evidence: [long, ...npm.slice(0, 2)] };
  return { run: manager === "pnpm" && !isTest ? long : short, evidence: [short, long, ...npm.slice(0, 2)] };
}

/** How a program of the installed packages is called; `also` are commands that do as well. */
export function callProgram(manager: PackageManagerName, command: string, also: readonly string[] = []): Call {
  const { run, starts } = PROGRAM_CALLS[manager];
  const called = (words: string, before: readonly string[]) => [words, ...before.map((start) => `${start} ${words}`)];
  const others = also.flatMap((words) => called(words, starts.slice(0, 1)));
  return { run: `${run} ${command}`, evidence: [...called(command, starts), ...others] };
}

interface ProgramCalls {
  /** What stands before a program that is to be run. */
  readonly run: string;
  /** What else may stand before it and is not seen through, as `npx` is; options hide `exec` as well. */
  readonly starts: readonly string[];
}

const PROGRAM_CALLS: Readonly<Record<PackageManagerName, ProgramCalls>> = {
  npm: { run: "npx", starts: [] },
  pnpm: { run: "pnpm exec", starts: ["pnpm", "pnpm exec"] },
  yarn: { run: "yarn", starts: ["yarn", "yarn run"] },
  bun: { run: "bunx", starts: ["bun run"] },
};
