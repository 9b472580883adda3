import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { copyRepository } from "./copy-repository.ts";

const RECIPES = new URL("../../docs/recipes/", import.meta.url);

/** Applying, generating, compiling and testing a recipe takes a minute on a busy machine. */
const MINUTES = 10 * 60_000;

const recipes = readdirSync(RECIPES)
  .filter((name) => name !== "README.md")
  .map((name) => ({ name, ...readRecipe(name) }));

describe.for(recipes)("$name", ({ patch, tests, files }) => {
  test("applies, compiles, and its tests pass", { timeout: MINUTES }, async () => {
    const copy = await copyRepository();
    expect(await copy.run("git", ["apply", "--index", "-"], patch)).toEqual({ ok: true, output: "" });
    await copy.run("node", ["scripts/generate.ts", ...tests]);
    expect(await copy.run("tsc", ["-p", "tsconfig.json"])).toEqual({ ok: true, output: "" });
    const tested = await copy.run("vitest", ["run", ...tests]);
    expect(tested.ok ? "passed" : tested.output).toBe("passed");
    const { output } = await copy.run("git", ["status", "--porcelain"]);
    expect(`${output.trimEnd().split("\n").length} files`).toBe(files);
  });
});

/** The content of a recipe: the diffs of files, the tests it names, and how many files a reader has to touch or generate. */
function readRecipe(name: string): {
  readonly patch: string;
  readonly tests: readonly string[];
  readonly files: string;
} {
  const text = readFileSync(fileURLToPath(new URL(name, RECIPES)), "utf8");
  const diffs = [...text.matchAll(/```diff\n(--- [\s\S]*?)```/g)].map(([, diff]) => diff);
  const [, tests = ""] = /^npm run vitest -- (.*)$/m.exec(text) ?? [];
  const [, files = "no number of files"] = /\*\*(\d+ files)\*\*/.exec(text) ?? [];
  return { patch: diffs.join(""), tests: tests.split(" ").filter((path) => path !== ""), files };
}
