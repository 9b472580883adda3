import { packageManager, pythonManager } from "../files/package-manager.ts";
import { dig, entriesOf } from "../files/parsers.ts";
import { folderOf, pathIn, type Tree } from "../files/tree.ts";
import type { Found } from "./chore.ts";

/** The first of the folders that stands beside a file, with the command to run there. */
export function beside(
  tree: Tree,
  sources: readonly string[],
  folders: readonly string[],
  command: (folder: string) => string,
  fixed?: string,
): readonly Found[] {
  return sources.flatMap((source) => {
    const folder = fixed ?? folderOf(source);
    const found = folders.find((path) => tree.hasFolder(pathIn(folder, path)));
    return found === undefined ? [] : [{ folder, include: [`${found}/**`], command: command(folder), source }];
  });
}

/** Schemas with the package they belong to: `home` is the schema's folder from there, with a slash at its end. */
export function prismaSchemas(
  tree: Tree,
): readonly { readonly folder: string; readonly schema: string; readonly home: string }[] {
  return tree.named("schema.prisma").flatMap((schema) => {
    let folder = folderOf(schema);
    while (folder !== "" && !tree.has(pathIn(folder, "package.json"))) folder = folderOf(folder);
    if (
      !dependenciesOf(tree, pathIn(folder, "package.json")).some(
        (name) => name === "prisma" || name === "@prisma/client",
      )
    )
      return [];
    const home = folderOf(folder === "" ? schema : schema.slice(folder.length + 1));
    return [{ folder, schema, home: folderPrefix(home) }];
  });
}

/** What the paths in a folder begin with. */
export function folderPrefix(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

/** A program of an installed Node package, as the package manager starts it. */
export function nodeProgram(tree: Tree, folder: string, command: string): string {
  const starts: Readonly<Record<string, string>> = { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" };
  return `${starts[packageManager(tree, folder)?.name ?? "npm"] ?? "npx"} ${command}`;
}

/** A program of a Python environment, as its manager starts it. */
export function pythonProgram(tree: Tree, folder: string, command: string): string {
  const manager = pythonManager(tree, folder);
  return manager === null ? command : `${manager} run ${command}`;
}

/** The packages that a package.json names. */
export function dependenciesOf(tree: Tree, manifest: string): readonly string[] {
  return ["dependencies", "devDependencies"].flatMap((key) =>
    entriesOf(dig(tree.data(manifest), key)).map(([name]) => name),
  );
}

/** A path named in a settings file, if it lies inside the tree and may stand in a glob. */
export function plainPath(path: string): string | null {
  const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
  return /^[\w@.-][\w@./-]*$/.test(plain) && !plain.split("/").includes("..") ? plain : null;
}
