import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

/** How many of our files a blocking stop may run; 60 is the goal. */
const MAX_FILES = 60;

const PROGRAM = fileURLToPath(new URL("one-stop.ts", import.meta.url));
const ARCHITECTURE = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

/** The rows of the table: a package and its files. */
const rowsIn = (text: string) => text.split("<!-- one-stop:")[1]?.match(/^\| .* \|$/gm);

test("the walk of one blocking stop is short, and the one in docs/architecture.md", async () => {
  const { stdout } = await execa(process.execPath, ["--conditions=@agent-checkpoint/source", PROGRAM]);
  const files = Number(/functions in (\d+) files/.exec(stdout)?.[1]);
  console.info(`a blocking stop runs ${files} files`);
  expect(files).toBeLessThanOrEqual(MAX_FILES);
  expect(
    rowsIn(ARCHITECTURE),
    "regenerate it: node --conditions=@agent-checkpoint/source scripts/one-stop.ts --write",
  ).toEqual(rowsIn(stdout));
});
