import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "../apps/cli/src/environment.ts";
import { runProgram } from "../apps/cli/src/program.ts";
import { tellWalk, walk } from "./walk.ts";

/** Runs `checkpoint snapshot create .` in this process, in a repository with a changed file. */
const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-walk-"));
try {
  const root = join(folder, "project");
  for (const path of ["project/src", "home", "user"]) mkdirSync(join(folder, path), { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...args], { cwd: root });
  writeFileSync(join(root, "src/api.ts"), "export const one = 1;\n");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  writeFileSync(join(root, "src/api.ts"), "export const two = 2;\n");
  const variables = { CHECKPOINT_HOME: join(folder, "home"), HOME: join(folder, "user"), PATH: process.env["PATH"] };
  const environment = {
    ...environmentOf(process),
    cwd: root,
    home: join(folder, "home"),
    userHome: join(folder, "user"),
    env: variables,
    out: () => undefined,
    err: () => undefined,
  };
  // The program and the package are loaded by then.
  await runProgram(["snapshot", "list"], environment);
  const create = () => runProgram(["snapshot", "create", ".", "--reason", "before a change"], environment);
  const subject = "`checkpoint snapshot create .`";
  const own = /^(?:apps\/cli\/src\/(?:commands\/snapshot|snapshot\/)|packages\/snapshots\/)/;
  tellWalk(await walk(create), { name: "one-snapshot", document: "docs/snapshots.md", subject, own });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
