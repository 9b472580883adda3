// Brings the context and the line numbers of the diffs in `docs/recipes` up to date with the sources they change.
// The lines that a recipe adds and removes stay as its author wrote them.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RECIPES = join(ROOT, "docs/recipes");

const DIFF = /(?<=```diff\n)--- [\s\S]*?(?=```)/g;
const FILE = /^--- (?:a\/|\/dev\/null\n\+\+\+ b\/)(.+)$/gm;

for (const name of readdirSync(RECIPES).filter((file) => file !== "README.md")) {
  const recipe = join(RECIPES, name);
  const text = readFileSync(recipe, "utf8");
  const fresh: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "agent-checkpoint-recipe-"));
  try {
    const git = (args: readonly string[], input = "") =>
      execa("git", args, { cwd: folder, input, stripFinalNewline: false });
    await git(["init", "--quiet"]);
    for (const file of text.matchAll(FILE)) copy(folder, file[1] ?? "");
    for (const [diff] of text.matchAll(DIFF)) {
      await git(["add", "--all"]);
      // One line of context on each side is enough to find the place.
      await git(["apply", "-C1", "-"], diff);
      await git(["add", "--intent-to-add", "--all"]);
      const files = [...diff.matchAll(FILE)].map(([, file = ""]) => file);
      const diffs = await Promise.all(files.map((file) => git(["diff", "--", file])));
      fresh.push(
        diffs.map(({ stdout }) => stdout.replaceAll(/^(?:diff --git|new file mode|index) .*\n/gm, "")).join(""),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(
    recipe,
    text.replaceAll(DIFF, () => fresh.shift() ?? ""),
  );
}

function copy(folder: string, file: string): void {
  if (!existsSync(join(ROOT, file))) return;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(ROOT, file), join(folder, file));
}
