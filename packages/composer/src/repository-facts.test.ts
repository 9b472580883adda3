import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { repositoryFacts } from "./repository-facts.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-facts-"));
afterAll(() => {
  vi.useRealTimers();
  rmSync(scratch, { recursive: true, force: true });
});

const FILES = {
  "package.json": '{ "scripts": { "test": "vitest", "lint": "eslint ." } }',
  "src/a.ts": "",
  "src/a.test.ts": "",
};

/** Lets ten seconds pass. */
function settle(): void {
  vi.setSystemTime(Date.now() + 10_000);
}

/** A repository whose files were last changed long ago, by the clock that the cache goes by. */
function stage(files: Readonly<Record<string, string>> = FILES) {
  const home = mkdtempSync(join(scratch, "home-"));
  const root = mkdtempSync(join(scratch, "repository-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, env: { PATH: process.env["PATH"] } });
  for (const [path, text] of Object.entries(files)) write(path, text);
  git("init", "--quiet");
  git("add", ".");
  settle();
  const folder = join(home, "repositories");
  const cachedFiles = () => readdirSync(home).flatMap((name) => readdirSync(join(home, name)));
  return { home, root, git, write, folder, cachedFiles };
}

/** The cache with a command in it that no file declares, so that its use shows. */
function mark(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("npm test", "from the cache"));
  }
}

async function testCommands(root: string, home: string | null): Promise<readonly string[]> {
  const { commands } = await repositoryFacts(root, home);
  return commands.filter(({ kind }) => kind === "test").map(({ command }) => command);
}

test("facts are cached, and are the same as those that are read", async () => {
  const { root, home, folder, cachedFiles } = stage();
  const read = await repositoryFacts(root, home);
  expect(await repositoryFacts(root, home)).toEqual(read);
  expect(await repositoryFacts(root, null)).toEqual(read);
  mark(folder);
  expect(await testCommands(root, home)).toEqual(["from the cache"]);
  expect(await testCommands(root, null)).toEqual(["npm test"]);
  expect(cachedFiles().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
});

type Staged = ReturnType<typeof stage>;

const changes: readonly {
  readonly change: string;
  readonly make: (staged: Staged) => unknown;
  readonly isUsed: boolean;
}[] = [
  { change: "an edit of a source", make: ({ write }) => write("src/a.ts", "x"), isUsed: true },
  { change: "a commit of an edit", make: ({ write, git }) => (write("src/a.ts", "x"), git("add", ".")), isUsed: true },
  { change: "a file that git does not track", make: ({ write }) => write("Makefile", "test:\n\ttrue\n"), isUsed: true },
  {
    change: "another script",
    make: ({ write }) => write("package.json", '{ "scripts": { "test": "jest" } }'),
    isUsed: false,
  },
  {
    change: "a manifest that looks untouched",
    make: ({ write, root }) => {
      const { atime, mtime } = statSync(join(root, "package.json"));
      write("package.json", FILES["package.json"].replace("vitest", "jestjs"));
      utimesSync(join(root, "package.json"), atime, mtime);
    },
    isUsed: false,
  },
  { change: "a manifest that is gone", make: ({ root }) => rmSync(join(root, "package.json")), isUsed: false },
  { change: "a new file", make: ({ write, git }) => (write("src/b.test.ts", ""), git("add", ".")), isUsed: false },
  { change: "a file less", make: ({ git }) => git("rm", "-q", "--cached", "src/a.test.ts"), isUsed: false },
  {
    change: "a cache that is cut off",
    make: ({ folder, cachedFiles }) => {
      for (const name of cachedFiles())
        writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, -9));
    },
    isUsed: false,
  },
  {
    change: "a cache of another form",
    make: ({ folder, cachedFiles }) => {
      for (const name of cachedFiles()) writeFileSync(join(folder, name), "[1]");
    },
    isUsed: false,
  },
  {
    change: "a cache of another root",
    make: ({ folder, cachedFiles, root }) => {
      for (const name of cachedFiles())
        writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").replace(root, `${root}s`));
    },
    isUsed: false,
  },
  {
    change: "a cache of another program",
    make: ({ folder, cachedFiles }) => {
      for (const name of cachedFiles())
        writeFileSync(
          join(folder, name),
          readFileSync(join(folder, name), "utf8").replace('"program":"', '"program":"9'),
        );
    },
    isUsed: false,
  },
  {
    change: "a link in the place of the cache",
    make: ({ folder, cachedFiles, home }) => {
      for (const name of cachedFiles()) {
        writeFileSync(join(home, "elsewhere.json"), readFileSync(join(folder, name)));
        rmSync(join(folder, name));
        symlinkSync(join(home, "elsewhere.json"), join(folder, name));
      }
    },
    isUsed: false,
  },
];

test.for(changes)("after $change", async ({ make, isUsed }) => {
  const staged = stage();
  await repositoryFacts(staged.root, staged.home);
  mark(staged.folder);
  make(staged);
  const isCached = (await testCommands(staged.root, staged.home)).includes("from the cache");
  expect(isCached).toBe(isUsed);
});

test("an index in the state that it had is not read, nor one that was looked at since", async () => {
  const { root, home, folder, git, write } = stage();
  await repositoryFacts(root, home);
  mark(folder);
  forgetNames(folder);
  expect(await testCommands(root, home)).toEqual(["from the cache"]);
  write("src/a.ts", "x");
  git("add", ".");
  expect(await testCommands(root, home)).toEqual(["npm test"]);
  settle();
  write("src/a.ts", "y");
  git("add", ".");
  settle();
  mark(folder);
  expect(await testCommands(root, home)).toEqual(["from the cache"]);
  forgetNames(folder);
  expect(await testCommands(root, home)).toEqual(["from the cache"]);
});

/** Leaves a digest in the cache that is of no names. */
function forgetNames(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/"names":"[^"]*"/, '"names":"of none"'));
  }
}

const uncached: readonly { readonly case: string; readonly make: (staged: Staged) => unknown }[] = [
  { case: "a manifest that was changed just now", make: () => vi.useRealTimers() },
  {
    case: "a secret in a script",
    make: ({ write }) => (
      write("package.json", '{ "scripts": { "test": "NPM_TOKEN=npm_abcdefghijklmnopqrstuvwxyz0123456789 vitest" } }'),
      vi.setSystemTime(Date.now() + 10_000)
    ),
  },
  { case: "nothing tracked", make: ({ git }) => git("rm", "-rq", "--cached", ".") },
  { case: "a home that is a file", make: ({ home }) => (rmSync(home, { recursive: true }), writeFileSync(home, "")) },
];

test.for(uncached)("not cached: $case", async ({ make }) => {
  const staged = stage();
  make(staged);
  expect((await testCommands(staged.root, staged.home)).length).toBe(1);
  const found = statSync(staged.home).isDirectory() ? staged.cachedFiles() : [];
  expect(found).toEqual([]);
});

test("caches of repositories that were not looked at for long are deleted", async () => {
  const { root, home, folder, cachedFiles } = stage();
  mkdirSync(folder);
  writeFileSync(join(folder, "1-1.json"), "{}");
  utimesSync(join(folder, "1-1.json"), 1, 1);
  await repositoryFacts(root, home);
  expect(cachedFiles()).toEqual([expect.not.stringMatching("^1-1")]);
});

test("a folder that cannot be written to", async () => {
  const { root, home, folder } = stage();
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  expect(await testCommands(root, home)).toEqual(["npm test"]);
});
