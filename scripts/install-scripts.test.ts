import { existsSync, globSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Manifest {
  readonly name?: string;
  readonly private?: boolean;
  readonly gypfile?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
}

const read = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest;

/** What package managers run by themselves when a package is installed. */
const RUN_AT_INSTALL = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];

const runsAtInstall = ({ scripts = {} }: Manifest, names: readonly string[]) => names.some((name) => name in scripts);

test("none of our packages runs anything when it is installed", () => {
  const manifests = globSync(["package.json", "{packages,apps,tools}/*/package.json", "{e2e,fixtures}/package.json"], {
    cwd: ROOT,
  });
  expect(manifests.length).toBeGreaterThan(15);
  expect(manifests.filter((path) => runsAtInstall(read(join(ROOT, path)), RUN_AT_INSTALL))).toEqual([]);
});

/** The packages that are installed here, as their manifests say. */
const INSTALLED = globSync(["*/node_modules/*/package.json", "*/node_modules/@*/*/package.json"], {
  cwd: join(ROOT, "node_modules/.pnpm"),
})
  .map((path) => join(ROOT, "node_modules/.pnpm", path))
  .filter((path) => !lstatSync(dirname(path)).isSymbolicLink());

const namesOf = (paths: readonly string[]) => [...new Set(paths.map((path) => read(path).name ?? ""))].toSorted();

/** A bundler's stub or a broken manifest has no name and no scripts. */
const isManifest = (path: string): boolean => {
  try {
    return read(path).name !== undefined;
  } catch {
    return false;
  }
};

test("of all that is installed, what wants to run at its installation is known, and only that is allowed", () => {
  const manifests = INSTALLED.filter(isManifest);
  expect(manifests.length).toBeGreaterThan(200);
  const scripted = manifests.filter((path) => runsAtInstall(read(path), ["preinstall", "install", "postinstall"]));
  expect(namesOf(scripted)).toEqual(["bun", "node", "pnpm"]);

  const [, allowed = ""] =
    /^allowBuilds:\n((?: {2}\S.*\n)*)/m.exec(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) ?? [];
  expect(allowed.trim().split(/\n\s*/)).toEqual(["bun: true", "node: true", "pnpm: true"]);
});

test("what could be compiled at its installation comes compiled", () => {
  const compilable = INSTALLED.filter(isManifest).filter((path) => existsSync(join(dirname(path), "binding.gyp")));
  expect(namesOf(compilable)).toEqual(["better-sqlite3"]);
  // npm compiles if there is a `binding.gyp`, unless the manifest forbids it.
  expect(compilable.map((path) => read(path).gypfile)).toEqual([false]);
});

test("every action of a workflow is pinned by its commit, with its version beside it", () => {
  const used = globSync(".github/workflows/*.yml", { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/uses: (.*)/g)].map(([, action = ""]) => action),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});
