import { CODEGEN } from "./chores/codegen.ts";
import { composeFiles } from "./chores/compose-files.ts";
import { MIGRATIONS } from "./chores/migrations.ts";
import { ciCommands } from "./ci-commands.ts";
import { type FileTree, pathIn, subTree } from "./file-tree.ts";
import { isTeleClaude } from "./is-tele-claude.ts";
import { detectPackageManager } from "./package-manager.ts";
import type { DetectProject, ProjectContext } from "./projects/detect-project.ts";
import { goProject } from "./projects/go-project.ts";
import { javaProject } from "./projects/java-project.ts";
import { nodeProject } from "./projects/node-project.ts";
import { pythonInstaller } from "./projects/python-installer.ts";
import { pythonProject, workspaceMembers } from "./projects/python-project.ts";
import { rubyProject } from "./projects/ruby-project.ts";
import { rustProject } from "./projects/rust-project.ts";
import type { Chore, PlacedProject, Stack, StackCommand } from "./stack.ts";
import { justTasks } from "./tasks/just-tasks.ts";
import { makeTasks } from "./tasks/make-tasks.ts";
import { packageTasks } from "./tasks/package-tasks.ts";
import { isTestTask, type Task } from "./tasks/task.ts";
import { taskfileTasks } from "./tasks/taskfile-tasks.ts";
import { isOwnFolder } from "./walk-files.ts";

/** The languages in the order in which they are looked for. A package.json often only serves a project in another one. */
const PROJECTS: readonly DetectProject[] = [
  rustProject,
  goProject,
  javaProject,
  rubyProject,
  pythonProject,
  nodeProject,
];

const CHORES = [...CODEGEN, ...MIGRATIONS, composeFiles];

/** Reads what a repository has: its root, the folders in it, and the folders of its workspaces. */
export function readStack(tree: FileTree): Stack {
  const ci = ciCommands(tree);
  const rootManager = detectPackageManager(tree);
  const pythonMembers = new Set(workspaceMembers(tree));
  const contextOf = (folder: string): ProjectContext => {
    const place = subTree(tree, folder);
    const shared = pythonMembers.has(folder) ? pythonInstaller(tree) : null;
    return {
      manager: detectPackageManager(place) ?? rootManager,
      ci,
      pythonInstaller: pythonInstaller(place) ?? shared,
    };
  };
  const places = placesOf(tree);
  const all = places.flatMap((folder) => {
    const place = subTree(tree, folder);
    return PROJECTS.flatMap((detect) => detect(place, contextOf(folder)) ?? []).map((project) =>
      placeProject(project, folder, targetTests(place)),
    );
  });
  const projects = all.filter((project) => !isMember(project, all));
  const members = projects.flatMap(({ folder, members: inner }) => inner.map((member) => pathIn(folder, member)));
  return {
    isTeleClaude: isTeleClaude(tree),
    projects,
    testTargets: targetTests(tree),
    chores: [...new Set([...places, ...members])].flatMap((folder) => choresAt(tree, folder, contextOf)),
    ciCommands: ci,
  };
}

/** Folders whose own folders are looked at as well. */
const GROUPS: ReadonlySet<string> = new Set(["apps", "packages", "services", "libs", "crates", "modules", "projects"]);

/** Folders whose projects are shown, tested or copied rather than worked on. */
const NO_PLACES: ReadonlySet<string> = new Set([
  "docs",
  "doc",
  "example",
  "examples",
  "sample",
  "samples",
  "demo",
  "demos",
  "fixtures",
  "test",
  "tests",
  "testdata",
  "templates",
  "benchmark",
  "benchmarks",
]);
const MOST_PLACES = 80;
const PLAIN_FOLDER = /^[\w@.-]+$/;

function placesOf(tree: FileTree): readonly string[] {
  const foldersIn = (folder: string) =>
    tree
      .list(folder)
      .filter((name) => name.endsWith("/"))
      .map((name) => name.slice(0, -1))
      .filter((name) => isOwnFolder(name) && !NO_PLACES.has(name) && PLAIN_FOLDER.test(name))
      .map((name) => pathIn(folder, name));
  const first = foldersIn(".");
  return [".", ...first, ...first.filter((name) => GROUPS.has(name)).flatMap(foldersIn)].slice(0, MOST_PLACES);
}

function isMember({ folder, language }: PlacedProject, projects: readonly PlacedProject[]): boolean {
  return projects.some(
    (other) => other.language === language && other.members.some((member) => pathIn(other.folder, member) === folder),
  );
}

/** A project as seen from the root. */
function placeProject(
  project: Omit<PlacedProject, "folder">,
  folder: string,
  targets: readonly StackCommand[],
): PlacedProject {
  const place = (command: StackCommand) => placeCommand(command, folder);
  // The root's targets may be about any of its languages; those of a folder are about the project there.
  const own = folder === "." ? project.tests : [...project.tests, ...targets];
  return {
    ...project,
    folder,
    where: placePaths(project.where, folder),
    tests: own.map(place),
    install: project.install === null ? null : place(project.install),
  };
}

function placeCommand({ run, evidence, where }: StackCommand, folder: string): StackCommand {
  return folder === "."
    ? { run, evidence, where }
    : { run: `cd ${folder} && ${run}`, evidence, where: placePaths(where, folder) };
}

/** `package.json, pnpm-lock.yaml` below a folder. */
function placePaths(where: string, folder: string): string {
  return where
    .split(", ")
    .map((path) => pathIn(folder, path))
    .join(", ");
}

function targetTests(tree: FileTree): readonly StackCommand[] {
  return targetsOf(tree)
    .filter((task) => isTestTask(task))
    .sort((one, other) => Number(other.name === "test") - Number(one.name === "test"))
    .slice(0, 1)
    .map(({ run, evidence, where }) => ({ run, evidence, where }));
}

function targetsOf(tree: FileTree): readonly Task[] {
  return [...makeTasks(tree), ...justTasks(tree), ...taskfileTasks(tree)];
}

function choresAt(tree: FileTree, folder: string, contextOf: (folder: string) => ProjectContext): readonly Chore[] {
  const place = subTree(tree, folder);
  const known = contextOf(folder);
  const manager = known.manager?.name ?? "npm";
  const context = {
    tasks: [...packageTasks(place, manager), ...targetsOf(place)],
    manager,
    pythonStart: known.pythonInstaller?.start ?? "",
  };
  return CHORES.flatMap((detect) => detect(place, context) ?? []).map((chore) => ({
    ...chore,
    include: chore.include.map((glob) => pathIn(folder, glob)),
    command: placeCommand(chore.command, folder),
  }));
}
