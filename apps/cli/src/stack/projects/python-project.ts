import { type FileTree, firstFile, hasFile } from "../file-tree.ts";
import { dig, readData, stringsOf } from "../read-data.ts";
import type { Project, StackCommand } from "../stack.ts";
import { firstFiles, someFile } from "../walk-files.ts";
import type { DetectProject } from "./detect-project.ts";
import { expandMembers } from "./expand-members.ts";
import type { PythonInstaller } from "./python-installer.ts";

const MANIFESTS = ["pyproject.toml", "setup.py", "Pipfile", "requirements.txt", "setup.cfg", "manage.py"];

/** A project with one of Python's manifests. */
export const pythonProject: DetectProject = (tree, { pythonInstaller: installer }) => {
  const manifest = firstFile(tree, MANIFESTS);
  if (manifest === null) return null;
  const tests = testsOf(tree, installer);
  const lock = installer !== null && hasFile(tree, installer.lock) ? installer.lock : null;
  return {
    language: "python",
    detail: installer?.name ?? null,
    where: lock === null || lock === manifest ? manifest : `${manifest}, ${lock}`,
    // A workspace whose root has no tests is left to the projects in it.
    members: tests.length > 0 ? workspaceMembers(tree) : [],
    tests,
    install: installOf(tree, installer, tests),
  } satisfies Project;
};

/** The folders of a workspace of uv. */
export function workspaceMembers(tree: FileTree): readonly string[] {
  const patterns = stringsOf(dig(readData(tree, "pyproject.toml"), "tool", "uv", "workspace", "members"));
  return expandMembers(tree, patterns, "pyproject.toml");
}

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/;

/** Files that would name pytest where the project uses it. */
const PYTEST_NAMED_IN = ["pyproject.toml", "Pipfile", "setup.cfg", "setup.py", "tox.ini"];
const REQUIREMENTS = /^requirements.*\.(?:txt|in)$/;

/** The ways to run the tests, where there are test files to run. */
function testsOf(tree: FileTree, installer: PythonInstaller | null): readonly StackCommand[] {
  if (!someFile(tree, TEST_FILE)) return [];
  const start = installer?.start ?? "";
  const sign = pytestSign(tree);
  const tests: StackCommand[] = [];
  if (sign !== null) tests.push({ run: `${start}pytest`, evidence: ["pytest", "py.test"], where: sign });
  if (sign === null && hasFile(tree, "manage.py")) {
    const evidence = ["manage.py test", "python manage.py test", "python3 manage.py test"];
    tests.push({ run: `${start}python manage.py test`, evidence, where: "manage.py" });
  } else if (sign === null) {
    const file = firstFiles(tree, TEST_FILE, 20).find((path) =>
      /^(?:import|from) unittest\b/m.test(tree.read(path) ?? ""),
    );
    if (file !== undefined) tests.push({ run: `${start}python -m unittest`, evidence: ["unittest"], where: file });
  }
  if (hasFile(tree, "noxfile.py")) tests.push({ run: "nox", evidence: ["nox"], where: "noxfile.py" });
  if (hasFile(tree, "tox.ini")) tests.push({ run: "tox", evidence: ["tox"], where: "tox.ini" });
  return tests;
}

function pytestSign(tree: FileTree): string | null {
  const settings = firstFile(tree, [
    "pytest.ini",
    ".pytest.ini",
    "conftest.py",
    "tests/conftest.py",
    "test/conftest.py",
  ]);
  const named = [...PYTEST_NAMED_IN, ...tree.list(".").filter((name) => REQUIREMENTS.test(name))].find((file) =>
    /(?:^|["'\s[:.])pytest\b/m.test(tree.read(file) ?? ""),
  );
  return named ?? settings;
}

function installOf(
  tree: FileTree,
  installer: PythonInstaller | null,
  tests: readonly StackCommand[],
): StackCommand | null {
  if (installer !== null) {
    const where = hasFile(tree, installer.lock) ? installer.lock : "pyproject.toml";
    // `uv run` syncs before it starts a program, so a test run is an install as well.
    const synced = installer.name === "uv" ? (tests[0]?.evidence ?? []) : [];
    return { run: installer.install, evidence: [...installer.evidence, ...synced], where };
  }
  const requirements = [
    ...tree.list(".").filter((name) => REQUIREMENTS.test(name)),
    ...["dev", "local", "base"].map((name) => `requirements/${name}.txt`).filter((file) => hasFile(tree, file)),
  ];
  const evidence = ["pip install", "pip-sync", "uv pip install", "uv pip sync"];
  const main = requirements.find((name) => name === "requirements.txt") ?? requirements[0];
  if (main !== undefined) return { run: `pip install -r ${main}`, evidence, where: main };
  const isPackage = dig(readData(tree, "pyproject.toml"), "project") !== undefined;
  const manifest = isPackage ? "pyproject.toml" : firstFile(tree, ["setup.py"]);
  return manifest === null ? null : { run: "pip install -e .", evidence, where: manifest };
}
