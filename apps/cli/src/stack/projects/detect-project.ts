import type { FileTree } from "../file-tree.ts";
import type { PackageManager } from "../package-manager.ts";
import type { CiCommand, Project } from "../stack.ts";
import type { PythonInstaller } from "./python-installer.ts";

/** What is known of the repository when a project is looked for. */
export interface ProjectContext {
  /** The package manager of the folder, or of the repository around it. */
  readonly manager: PackageManager | null;
  readonly ci: readonly CiCommand[];
  /** The Python installer of the workspace that the folder belongs to. */
  readonly pythonInstaller: PythonInstaller | null;
}

/** Looks for a project of one language in a folder; paths are relative to it. */
export type DetectProject = (tree: FileTree, context: ProjectContext) => Project | null;
