import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

test("the demo opens with a TypeScript project: blocked with the command, run, passed, with times; then the daemon", async () => {
  const { stdout } = await execa(process.execPath, [fileURLToPath(new URL("demo.ts", import.meta.url))]);
  const steps = [
    /A TypeScript project, as `git status` shows it \(\d+ ms\):/,
    / M src\/retry\.ts/,
    /The hook blocks it \(\d+ ms\), and the agent reads:/,
    /`npm test`/,
    /The agent does what is missing, and stops again\. The stop passes \(\d+ ms\):/,
    /shell +npm test/,
    /A daemon with rules of its own/,
    /make restart/,
  ];
  let rest = stdout;
  for (const step of steps) {
    expect(rest).toMatch(step);
    rest = rest.slice(rest.search(step) + 1);
  }
});
