import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../testing/scratch-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));

test("the command that `why` prints goes back from every folder, as the built program", () => {
  const folder = scratchFolder();
  const [root, user] = [join(folder, "work"), join(folder, "user")];
  mkdirSync(user);
  execFileSync("git", ["init", "--quiet", root]);
  writeFileSync(join(root, "a.txt"), "one\n");
  const run = (cwd: string, ...args: readonly string[]) =>
    execFileSync(process.execPath, [PROGRAM, "snapshot", ...args, "--json"], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: user, CHECKPOINT_HOME: join(folder, "home") },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const { checkpoint } = JSON.parse(run(root, "create", ".", "--reason", "x")) as { checkpoint: { id: string } };
  for (const cwd of ["/", user, folder]) {
    writeFileSync(join(root, "a.txt"), "two\n");
    writeFileSync(join(root, "new.txt"), "new\n");
    expect(JSON.parse(run(cwd, "restore", checkpoint.id, "--remove-new"))).toMatchObject({
      rolled_back: true,
      verification: { match: true },
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect(existsSync(join(root, "new.txt"))).toBe(false);
  }
});
