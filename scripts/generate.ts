// Regenerates all derived files: those of the packages' `write-…` scripts, the recipes, and the golden files of the tests.
// Paths narrow the golden files to those of the tests below them, and leave the recipes alone.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { SOURCE_CONDITION } from "./package-build.ts";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const paths = process.argv.slice(2);

for (const script of globSync("{packages,apps}/*/scripts/write-*.ts", { cwd }).sort())
  await execa(process.execPath, [`--conditions=${SOURCE_CONDITION}`, script], { cwd, stdio: "inherit" });

for (const script of ["scripts/one-stop.ts", "scripts/one-snapshot.ts"])
  await execa(process.execPath, [`--conditions=${SOURCE_CONDITION}`, script, "--write"], { cwd, stdio: "inherit" });

if (paths.length === 0) await execa(process.execPath, ["scripts/docs/refresh-recipes.ts"], { cwd, stdio: "inherit" });

const golden = globSync("{packages,apps}/*/src/**/*.test.ts", { cwd })
  .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
  .filter((file) => readFileSync(`${cwd}/${file}`, "utf8").includes("toMatchFileSnapshot"));
if (golden.length > 0)
  await execa("vitest", ["run", "--update=all", ...golden.sort()], { cwd, stdio: "inherit", preferLocal: true });
await execa("oxfmt", [], { cwd, stdio: "inherit", preferLocal: true });
