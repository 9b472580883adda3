import type { FileTree } from "../file-tree.ts";
import { callScript, type PackageManagerName } from "../package-manager.ts";
import { dig, entriesOf, readData } from "../read-data.ts";
import { PLAIN_NAME, type Task } from "./task.ts";

/** What a package manager runs by itself, around other scripts. */
const LIFECYCLE =
  /^(?:pre|post)(?:install|pack|publish|version|test|build|dev|start)?$|^(?:prepare|prepublishOnly)$|^pre(?:dev|build|test)/;

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = /no test specified/i;

/** The scripts of a package.json that a person would call. */
export function packageTasks(tree: FileTree, manager: PackageManagerName): readonly Task[] {
  return entriesOf(dig(readData(tree, "package.json"), "scripts")).flatMap(([name, body]) =>
    typeof body === "string" && PLAIN_NAME.test(name) && !LIFECYCLE.test(name) && !PLACEHOLDER.test(body)
      ? [{ name, ...callScript(manager, name), body, where: `package.json: scripts.${name}` }]
      : [],
  );
}
