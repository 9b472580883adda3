import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

/** How many of our files a blocking stop may run; 60 is the goal. */
const MAX_FILES = 60;

/** How many files of its own a snapshot may run: those of the command and of the package. */
const MAX_SNAPSHOT_FILES = 30;

const read = (document: string) => readFileSync(new URL(`../docs/${document}`, import.meta.url), "utf8");

const run = async (program: string) => {
  const path = fileURLToPath(new URL(program, import.meta.url));
  return (await execa(process.execPath, ["--conditions=@agent-checkpoint/source", path])).stdout;
};

/** The rows of the table: a package and its files. */
const rowsIn = (text: string, name: string) => text.split(`<!-- ${name}:`)[1]?.match(/^\| .* \|$/gm);

test("the walk of one blocking stop is short, and the one in docs/architecture.md", async () => {
  const stdout = await run("one-stop.ts");
  const files = Number(/runs (\d+) files/.exec(stdout)?.[1]);
  console.info(`a blocking stop runs ${files} files`);
  expect(files).toBeLessThanOrEqual(MAX_FILES);
  expect(
    rowsIn(read("architecture.md"), "one-stop"),
    "regenerate it: node --conditions=@agent-checkpoint/source scripts/one-stop.ts --write",
  ).toEqual(rowsIn(stdout, "one-stop"));
});

test("the walk of `snapshot create` is short, and the one in docs/snapshots.md", async () => {
  const stdout = await run("one-snapshot.ts");
  expect(Number(/(\d+) of them its own/.exec(stdout)?.[1])).toBeLessThanOrEqual(MAX_SNAPSHOT_FILES);
  expect(
    rowsIn(read("snapshots.md"), "one-snapshot"),
    "regenerate it: node --conditions=@agent-checkpoint/source scripts/one-snapshot.ts --write",
  ).toEqual(rowsIn(stdout, "one-snapshot"));
});
