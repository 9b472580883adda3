import { countOf } from "../count-of.ts";
import { type FileTree, hasFile, subTree } from "../file-tree.ts";
import type { PackageManager, PackageManagerName } from "../package-manager.ts";
import { dig, readData, stringsOf } from "../read-data.ts";
import type { StackCommand } from "../stack.ts";
import type { DetectProject } from "./detect-project.ts";
import { expandMembers } from "./expand-members.ts";
import { dependenciesOf, type NodePackage } from "./node-package.ts";
import { nodeTests } from "./node-tests.ts";

const NPM: PackageManager = { name: "npm", where: "package.json", isModernYarn: false };

/** A project with a package.json. */
export const nodeProject: DetectProject = (tree, context) => {
  if (!hasFile(tree, "package.json")) return null;
  const manager = context.manager ?? NPM;
  const members = membersOf(tree);
  const packages = [".", ...members].map((folder) => ({ folder, tree: subTree(tree, folder) }));
  return {
    language: "node",
    detail: members.length > 0 ? `${manager.name}, ${countOf(members.length, "package")}` : manager.name,
    where:
      hasFile(tree, manager.where) && manager.where !== "package.json"
        ? `package.json, ${manager.where}`
        : "package.json",
    members,
    tests: nodeTests(packages, manager),
    install: installOf(packages, manager),
  };
};

function membersOf(tree: FileTree): readonly string[] {
  const own = dig(readData(tree, "package.json"), "workspaces");
  const patterns = [
    ...stringsOf(own),
    ...stringsOf(dig(own, "packages")),
    ...stringsOf(dig(readData(tree, "pnpm-workspace.yaml"), "packages")),
  ];
  return expandMembers(tree, patterns, "package.json");
}

const INSTALL_WORDS: Readonly<Record<PackageManagerName, readonly string[]>> = {
  npm: ["install", "i", "ci", "uninstall", "update"],
  pnpm: ["install", "i", "add", "remove", "update", "up"],
  yarn: ["install", "add", "remove", "up", "upgrade"],
  bun: ["install", "i", "add", "remove", "update"],
};

function installOf(packages: readonly NodePackage[], { name, where }: PackageManager): StackCommand | null {
  if (packages.every(({ tree }) => dependenciesOf(tree).length === 0)) return null;
  return { run: `${name} install`, evidence: INSTALL_WORDS[name].map((word) => `${name} ${word}`), where };
}
