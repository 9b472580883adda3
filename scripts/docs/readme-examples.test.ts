import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { copyRepository } from "./copy-repository.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The READMEs of the packages, each with its examples in TypeScript. */
const readmes = globSync("{packages,apps}/*/README.md", { cwd: ROOT })
  .sort()
  .map((readme) => ({ readme, examples: examplesOf(readFileSync(join(ROOT, readme), "utf8")) }));

test("every package shows how it is used", () => {
  expect(readmes.filter(({ readme, examples }) => readme.startsWith("packages/") && examples.length === 0)).toEqual([]);
});

test("every example compiles", { timeout: 5 * 60_000 }, async () => {
  const copy = await copyRepository();
  for (const { readme, examples } of readmes) {
    const folder = join(copy.folder, dirname(readme), "src/readme-examples");
    mkdirSync(folder, { recursive: true });
    for (const [at, example] of examples.entries()) writeFileSync(join(folder, `${at}.ts`), `${example}\nexport {};\n`);
  }
  expect(await copy.run("tsc", ["-p", "tsconfig.json"])).toEqual({ ok: true, output: "" });
});

function examplesOf(text: string): readonly string[] {
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, example = ""]) => example);
}
