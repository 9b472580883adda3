import { type FileTree, hasFile } from "../file-tree.ts";
import { dig, readData } from "../read-data.ts";

/** A program that installs a Python project's packages and runs its programs. */
export interface PythonInstaller {
  readonly name: string;
  /** What shows it: a lock file, or a table of pyproject.toml. */
  readonly lock: string;
  readonly table: readonly string[];
  /** What stands before a program that is to run in the project's environment. */
  readonly start: string;
  readonly install: string;
  readonly evidence: readonly string[];
}

const INSTALLERS: readonly PythonInstaller[] = [
  {
    name: "uv",
    lock: "uv.lock",
    table: ["tool", "uv"],
    start: "uv run ",
    install: "uv sync",
    evidence: ["uv sync", "uv add", "uv remove", "uv lock", "uv pip install"],
  },
  {
    name: "poetry",
    lock: "poetry.lock",
    table: ["tool", "poetry"],
    start: "poetry run ",
    install: "poetry install",
    evidence: ["poetry install", "poetry add", "poetry remove", "poetry update", "poetry sync"],
  },
  {
    name: "pdm",
    lock: "pdm.lock",
    table: ["tool", "pdm"],
    start: "pdm run ",
    install: "pdm install",
    evidence: ["pdm install", "pdm add", "pdm remove", "pdm update", "pdm sync"],
  },
  {
    name: "pipenv",
    lock: "Pipfile",
    table: ["tool", "pipenv"],
    start: "pipenv run ",
    install: "pipenv install --dev",
    evidence: ["pipenv install", "pipenv uninstall", "pipenv update", "pipenv sync"],
  },
];

/** The installer that a folder shows by a lock file or a table of its manifest. */
export function pythonInstaller(tree: FileTree): PythonInstaller | null {
  const pyproject = readData(tree, "pyproject.toml");
  return (
    INSTALLERS.find(({ lock }) => hasFile(tree, lock)) ??
    INSTALLERS.find(({ table }) => dig(pyproject, ...table) !== undefined) ??
    null
  );
}
