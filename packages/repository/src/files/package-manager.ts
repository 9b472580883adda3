import { dig } from "./parsers.ts";
import { folderOf, pathIn, type Tree } from "./tree.ts";

/** The program that installs a project's packages. */
export interface PackageManager {
  readonly name: string;
  /** The file that shows it. */
  readonly sign: string;
  /** Yarn from 2 on has other commands for workspaces. */
  readonly isModernYarn: boolean;
}

const LOCK_FILES: readonly (readonly [file: string, name: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** The package manager of a Node package, by its own or an outer manifest's word, else by the nearest lock file. */
export function packageManager(tree: Tree, folder: string): PackageManager | null {
  for (let at = folder; ; at = folderOf(at)) {
    const manifest = pathIn(at, "package.json");
    const field = dig(tree.data(manifest), "packageManager");
    const named = typeof field === "string" ? /^(npm|pnpm|yarn|bun)@(\d+)/.exec(field) : null;
    if (named !== null)
      return { name: named[1] ?? "npm", sign: manifest, isModernYarn: named[1] === "yarn" && Number(named[2]) > 1 };
    const lock = LOCK_FILES.find(([file]) => tree.has(pathIn(at, file)));
    if (lock !== undefined) {
      const isModernYarn = lock[1] === "yarn" && tree.has(pathIn(at, ".yarnrc.yml"));
      return { name: lock[1], sign: pathIn(at, lock[0]), isModernYarn };
    }
    if (at === "") return null;
  }
}

const PYTHON_MANAGERS: readonly (readonly [lock: string, name: string])[] = [
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pdm.lock", "pdm"],
  ["Pipfile", "pipenv"],
  ["pixi.lock", "pixi"],
];

/** The package manager of a Python project, by the nearest lock file, else by a table of its manifest. */
export function pythonManager(tree: Tree, folder: string): string | null {
  for (let at = folder; ; at = folderOf(at)) {
    const lock = PYTHON_MANAGERS.find(([file]) => tree.has(pathIn(at, file)));
    if (lock !== undefined) return lock[1];
    if (at === "") break;
  }
  const tables = dig(tree.data(pathIn(folder, "pyproject.toml")), "tool");
  return PYTHON_MANAGERS.find(([, name]) => dig(tables, name) !== undefined)?.[1] ?? null;
}
