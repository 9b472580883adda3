import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The sources of the packages and programs, without their tests, by path. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  globSync(["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"], { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts") && !path.includes("/testing/"))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

const rules = [
  {
    rule: "only `git` starts git",
    pattern: /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|execa|execaSync)\(\s*["'`]git\b/,
    owner: "packages/git/",
    exceptions: [],
  },
  {
    rule: "only `files` renames and locks",
    pattern: /\b(?:renameSync|rename|linkSync|link)\(|\bO_EXCL\b|["']wx["']/,
    owner: "packages/files/",
    exceptions: [
      // It speeds up the start of the hook, before any package is loaded.
      "apps/hook-receiver/src/code-cache.ts",
    ],
  },
];
test.for(rules)("$rule", ({ pattern, owner, exceptions }) => {
  const offenders = [...SOURCES]
    .filter(([path]) => ![owner, ...exceptions].some((allowed) => path.startsWith(allowed)))
    .filter(([, text]) => pattern.test(text));
  expect(offenders.map(([path]) => path)).toEqual([]);
});

describe("folders are layers", () => {
  /** The entries of each folder that import each other; the imports of types count. */
  type Graph = ReadonlyMap<string, ReadonlySet<string>>;

  /** An import between two folders is one between the two entries of the folder that holds both. */
  function graphOf(sources: ReadonlyMap<string, string>): Graph {
    const graph = new Map<string, Set<string>>();
    for (const [path, text] of sources) {
      for (const [, specifier = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
        const [importer, imported] = [path.split("/"), join(dirname(path), specifier).split("/")];
        const depth = importer.findIndex((name, index) => name !== imported[index]) + 1;
        const entry = importer.slice(0, depth).join("/");
        graph.set(entry, (graph.get(entry) ?? new Set()).add(imported.slice(0, depth).join("/")));
      }
    }
    return graph;
  }

  /** All that an entry imports, directly or through others. */
  function reachedFrom(entry: string, graph: Graph, reached = new Set<string>()): ReadonlySet<string> {
    for (const next of graph.get(entry) ?? []) {
      if (!reached.has(next)) reachedFrom(next, graph, reached.add(next));
    }
    return reached;
  }

  function foldersInCycles(sources: ReadonlyMap<string, string>): readonly string[] {
    const graph = graphOf(sources);
    return [...graph.keys()].filter((entry) => !entry.endsWith(".ts") && reachedFrom(entry, graph).has(entry));
  }

  test("no folder imports what imports it", () => {
    expect(foldersInCycles(SOURCES)).toEqual([]);
  });

  const examples = [
    { name: "one direction", one: `import "../b/x.ts";`, other: "", cycles: [] },
    { name: "both", one: `import { x } from "../b/x.ts";`, other: `import("../a/x.ts")`, cycles: ["src/a", "src/b"] },
    {
      name: "by types",
      one: `import "../b/x.ts";`,
      other: `export type { X } from "../c.ts"`,
      cycles: ["src/a", "src/b"],
    },
    { name: "inside of a folder", one: `import "./y.ts";`, other: "", cycles: [] },
  ];
  test.for(examples)("$name", ({ one, other, cycles }) => {
    const sources = new Map([
      ["src/a/x.ts", one],
      ["src/a/y.ts", `import "./x.ts";`],
      ["src/b/x.ts", other],
      ["src/c.ts", `import { a } from "./a/x.ts";`],
    ]);
    expect(foldersInCycles(sources)).toEqual(cycles);
  });
});

test("docs/architecture.md lists the packages, and what each imports", () => {
  const listed = [
    ...readFileSync(join(ROOT, "docs/architecture.md"), "utf8").matchAll(/^\| `([a-z]+)` \|[^|]*\|([^|]*)\|$/gm),
  ];
  const manifests = globSync("packages/*/package.json", { cwd: ROOT }).map(
    (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8")) as { name: string; dependencies?: object },
  );
  const own = (names: readonly string[]) => names.flatMap((name) => /^@agent-checkpoint\/(.*)$/.exec(name)?.[1] ?? []);
  expect(Object.fromEntries(listed.map(([, name, imports = ""]) => [name, imports.match(/[a-z]+/g) ?? []]))).toEqual(
    Object.fromEntries(
      manifests.map(({ name, dependencies = {} }) => [own([name])[0], own(Object.keys(dependencies)).toSorted()]),
    ),
  );
});
