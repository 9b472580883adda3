import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { onTestFinished } from "vitest";

const AS_SOMEBODY = ["-c", "user.name=reader", "-c", "user.email=reader@example.com"];

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of the repository as it is in the work tree, to be changed by one test: a repository of its own, with its libraries. */
export interface RepositoryCopy {
  readonly folder: string;
  /** Runs a program of the repository in the copy, and returns all that it printed. */
  run(
    program: string,
    args: readonly string[],
    input?: string,
  ): Promise<{ readonly ok: boolean; readonly output: string }>;
}

/** Copies the repository into a temporary folder that goes when the test has ended. */
export async function copyRepository(): Promise<RepositoryCopy> {
  const folder = mkdtempSync(join(tmpdir(), "agent-checkpoint-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 60_000);
  const { stdout } = await execa("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const file of stdout
    .split("\0")
    .filter((name) => name !== "" && lstatSync(join(ROOT, name), { throwIfNoEntry: false })))
    copy(folder, file);
  // Workspace links are relative, so that those of the copy lead to the packages of the copy; the libraries are shared.
  for (const modules of ["node_modules", ...workspaceModules()]) copyLinks(folder, modules);
  symlinkSync(join(ROOT, "node_modules/.pnpm"), join(folder, "node_modules/.pnpm"));

  const run: RepositoryCopy["run"] = async (program, args, input) => {
    const path = [join(folder, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(":");
    const { failed, all } = await execa(program, args, {
      cwd: folder,
      env: { PATH: path },
      all: true,
      reject: false,
      ...(input === undefined ? { stdin: "ignore" } : { input }),
    });
    return { ok: !failed, output: all };
  };
  await run("git", ["init", "--quiet"]);
  await run("git", ["add", "--all"]);
  await run("git", [...AS_SOMEBODY, "commit", "--quiet", "--message", "Before"]);
  return { folder, run };
}

function copy(folder: string, file: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(ROOT, file), join(folder, file), { verbatimSymlinks: true });
}

/** Copies the links of a `node_modules` as they are, without what they lead to. */
function copyLinks(folder: string, modules: string): void {
  cpSync(join(ROOT, modules), join(folder, modules), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !/node_modules\/\.(?!bin)/.test(source),
  });
}

function workspaceModules(): readonly string[] {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(group, name, "node_modules")))
    .concat("fixtures/node_modules", "e2e/node_modules")
    .filter((modules) => lstatSync(join(ROOT, modules), { throwIfNoEntry: false }) !== undefined);
}
