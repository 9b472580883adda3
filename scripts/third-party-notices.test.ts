import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NOTICES, thirdPartyNotices } from "./third-party-notices.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "notices-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Lays out a library with these files. */
function library(name: string, files: Readonly<Record<string, string>>): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const manifest = { name, version: "1.2.3", license: "MIT", main: "index.js" };
  const all = {
    "package.json": JSON.stringify(manifest),
    "index.js": `export const name = [process.pid, "${name}"];\n`,
    ...files,
  };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(place, file), text);
}

/** Bundles a program that imports these libraries. */
function bundle(...names: readonly string[]): Promise<unknown> {
  const lines = names.map((name, index) => `import { name as n${index} } from "${name}"; console.log(n${index});`);
  writeFileSync(join(folder, "program.mjs"), lines.join("\n"));
  return build({
    cwd: folder,
    config: false,
    entry: { program: join(folder, "program.mjs") },
    outDir: join(folder, "dist"),
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    dts: false,
    logLevel: "silent",
    plugins: [thirdPartyNotices()],
  });
}

test("every library in a bundle is listed with its licence", async () => {
  library("one", { LICENSE: "Copyright of one\n" });
  library("@scope/two", { "licence.md": "Copyright of two\n" });
  library("unused", { LICENSE: "Copyright of unused\n" });
  await bundle("one", "@scope/two");
  const notices = readFileSync(join(folder, "dist", NOTICES), "utf8");
  expect(notices).toContain("@scope/two 1.2.3 (MIT)\n\nCopyright of two\n");
  expect(notices).toContain("one 1.2.3 (MIT)\n\nCopyright of one\n");
  expect(notices).not.toContain("unused");
});

test("a library without a licence fails the build", async () => {
  library("bare", {});
  await expect(bundle("bare")).rejects.toThrow("bare@1.2.3 is bundled and has no licence");
});

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** The executable is built only if Bun is there for this platform. */
const binary = `binaries/${process.platform}-${process.arch}`;
const programs = ["apps/cli", "apps/hook-receiver", ...(existsSync(here(`${binary}/dist`)) ? [binary] : [])];
const NOTHING_MORE = /^/;
const RUNTIME = /^Bun \d[^]+ changed WebKit[^]+GNU LIBRARY GENERAL PUBLIC[^]+GNU LESSER GENERAL PUBLIC/m;
test.for(programs)("the programs of %s come with the notices of their libraries", (folder) => {
  const path = here(`${folder}/dist/${NOTICES}`);
  const listed = [...readFileSync(path, "utf8").matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)\n\n\S/gm)].map(
    ([, name]) => name,
  );
  const known = ["braces", "jsonc-parser", "micromatch", "picomatch", "smol-toml", "unbash", "valibot", "yaml"];
  expect(listed).toEqual(expect.arrayContaining(known));
  expect(readFileSync(path, "utf8")).toMatch(folder === binary ? RUNTIME : NOTHING_MORE);
});
