import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ChangedFiles, listChangedFiles, listInParts } from "./status.ts";

const root = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-git-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A repository in a new folder, with files committed. */
async function repository(committed: readonly string[] = []) {
  const folder = mkdtempSync(join(root, "repo-"));
  const git = (...args: string[]) =>
    execa(
      "git",
      ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "protocol.file.allow=always", ...args],
      { cwd: folder },
    );
  const write = (file: string, text = "changed\n") => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  await git("init", "--quiet");
  for (const file of committed) write(file, `${file} as committed\n`);
  if (committed.length > 0) {
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "first");
  }
  const changed = async (folderInside = "", untracked = true) => {
    const [beside, waitedFor] = await Promise.all(
      [false, true].map((mayWait) =>
        listChangedFiles(join(folder, folderInside), { untracked, timeoutMs: 10_000, mayWait }),
      ),
    );
    expect(waitedFor).toEqual(beside);
    const isAsked = untracked && beside?.status === "known";
    expect(isAsked ? await listInParts(beside.root, { untracked }) : beside).toEqual(beside);
    return beside;
  };
  return { folder, git, write, changed };
}

const known = (folder: string, files: string[]) => ({ status: "known", root: folder, files });

describe("what counts as changed", () => {
  test("modified, staged, staged and modified again, deleted and new files, in order", async () => {
    const { folder, git, write, changed } = await repository(["a", "b", "c", "d", "same"]);
    write("a");
    write("b");
    await git("add", "b");
    write("c");
    await git("add", "c");
    write("c", "again\n");
    await git("rm", "--quiet", "d");
    write("new/file");
    expect(await changed()).toEqual(known(folder, ["a", "b", "c", "d", "new/file"]));
  });

  test("a rename is the file that went and the file that came", async () => {
    const { folder, git, changed } = await repository(["old.py"]);
    await git("mv", "old.py", "new.py");
    expect(await changed()).toEqual(known(folder, ["new.py", "old.py"]));
  });

  test("names with spaces, quotes, line breaks and letters of all kinds", async () => {
    const names = [
      "with space",
      'with "quotes"',
      "with 'quotes'",
      "line\nbreak",
      "größe",
      "日本.txt",
      "tab\there",
      "-n",
      "back\\slash",
    ];
    const { folder, write, changed } = await repository(["a", names[0] ?? "", names[3] ?? ""]);
    for (const name of names) write(name);
    expect(await changed()).toEqual(known(folder, names.toSorted()));
  });

  test("ignored files do not count, and new ones only where they are asked for", async () => {
    const { folder, write, changed } = await repository(["a", ".gitignore"]);
    write(".gitignore", "*.log\nbuild/\n");
    write("x.log");
    write("build/out");
    write("new");
    expect(await changed()).toEqual(known(folder, [".gitignore", "new"]));
    expect(await changed("", false)).toEqual(known(folder, [".gitignore"]));
  });

  test("a file that was touched but not changed does not count", async () => {
    const { folder, write, changed } = await repository(["a"]);
    write("a", "a as committed\n");
    expect(await changed()).toEqual(known(folder, []));
  });

  test("from a subfolder the whole repository counts, relative to its root", async () => {
    const { folder, write, changed } = await repository(["a", "sub/deep/b"]);
    write("a");
    write("sub/deep/b");
    write("other/new");
    expect(await changed("sub/deep")).toEqual(known(folder, ["a", "other/new", "sub/deep/b"]));
  });

  test("a repository without commits: everything is new", async () => {
    const { folder, git, write, changed } = await repository();
    write("staged");
    await git("add", "staged");
    write("loose");
    expect(await changed()).toEqual(known(folder, ["loose", "staged"]));
  });

  test("a worktree is a repository of its own", async () => {
    const { folder, git, write } = await repository(["a", "b"]);
    const worktree = `${folder}-worktree`;
    await git("worktree", "add", "--quiet", worktree);
    write("a");
    writeFileSync(join(worktree, "b"), "changed there\n");
    expect(await listChangedFiles(worktree, { untracked: true, timeoutMs: 10_000 })).toEqual(known(worktree, ["b"]));
  });

  test("a submodule is a repository of its own, and a changed path of the one around it", async () => {
    const inner = await repository(["lib.py"]);
    const { folder, git, changed } = await repository(["a"]);
    await git("submodule", "--quiet", "add", inner.folder, "vendor/lib");
    await git("commit", "--quiet", "--message", "with a submodule");
    writeFileSync(join(folder, "vendor/lib/lib.py"), "changed\n");
    expect(await changed("vendor/lib")).toEqual(known(join(folder, "vendor/lib"), ["lib.py"]));
    expect(await changed()).toEqual(known(folder, ["vendor/lib"]));
  });

  test("variables of a surrounding git do not count", async () => {
    const { folder, write, changed } = await repository(["a"]);
    write("a");
    process.env["GIT_DIR"] = "/nowhere";
    process.env["GIT_INDEX_FILE"] = "/nowhere/index";
    try {
      expect(await changed()).toEqual(known(folder, ["a"]));
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_INDEX_FILE"];
    }
  });

  test("the index is left as it is, byte for byte", async () => {
    const { folder, git, write, changed } = await repository(["a", "b"]);
    // Touched, and the same: git would note its new time in the index if it was let.
    write("a", "a as committed\n");
    utimesSync(join(folder, "a"), 1_000_000_000, 1_000_000_000);
    const before = await git("hash-object", join(folder, ".git/index"));
    await changed();
    expect((await git("hash-object", join(folder, ".git/index"))).stdout).toBe(before.stdout);
  });
});

describe("why git cannot say", () => {
  test("no repository", async () => {
    const folder = mkdtempSync(join(root, "plain-"));
    expect(await listChangedFiles(folder, { untracked: true, timeoutMs: 1000 })).toMatchObject({
      status: "unknown",
      reason: "no-repository",
    });
  });

  test("a broken repository", async () => {
    const { folder, changed } = await repository(["a"]);
    rmSync(join(folder, ".git/HEAD"));
    expect(await changed()).toMatchObject({ status: "unknown", reason: "git-error" });
  });

  test("a repository that git refuses, in git's words", async () => {
    const { folder, changed } = await repository(["a"]);
    writeFileSync(join(folder, ".git/config"), "[core]\n\trepositoryformatversion = 99\n");
    expect(await changed()).toMatchObject({
      status: "unknown",
      reason: "git-error",
      detail: expect.stringMatching(/^fatal: .*repo version.*99/),
    });
  });

  test.for([{ mayWait: false }, { mayWait: true }])("a time-out (waited for: $mayWait)", async ({ mayWait }) => {
    const { folder } = await repository(["a"]);
    const programs = mkdtempSync(join(root, "bin-"));
    writeFileSync(join(programs, "git"), "#!/bin/sh\nexec sleep 20\n", { mode: 0o755 });
    vi.stubEnv("PATH", `${programs}:${process.env["PATH"] ?? ""}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await listChangedFiles(folder, { untracked: true, timeoutMs: 300, mayWait })).toMatchObject({
      status: "unknown",
      reason: "timeout",
    });
  });
});

describe("a large repository is asked in parts or about few paths, and gives the same answer", () => {
  /** The files that are one of these paths, or in a folder that is. */
  const ownOf = async (paths: readonly string[], asked: ChangedFiles | Promise<ChangedFiles>) => {
    const changed = await asked;
    const isOwn = (file: string) => paths.some((path) => file === path || file.startsWith(`${path}/`));
    return changed.status === "known" ? changed.files.filter(isOwn) : changed;
  };

  const folders = ["", "a/", "a/b/", "new/", "new/deep/", "ignored/", "nested/"];
  const file = fc
    .tuple(fc.constantFrom(...folders), fc.constantFrom("one.ts", "two.log", "UNTR"))
    .map((parts) => parts.join(""));
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom("write", "remove", "stage", "unstage", "mkdir"), file }),
    fc.record({
      kind: fc.constant("ignore"),
      file: fc.constantFrom("*.log\n", "ignored/\n", "/new\n!one.ts\n", "nested/\n", ""),
    }),
    fc.record({ kind: fc.constant("nest"), file: fc.constantFrom("nested", "new/deep") }),
  );

  test.for([
    { title: "without the untracked cache", cache: "false" },
    { title: "with it", cache: "true" },
  ])("$title", { timeout: 120_000 }, async ({ cache }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const { folder, git, write } = await repository(["one.ts", "a/one.ts", "a/b/two.log", "ignored/one.ts"]);
          await git("config", "core.untrackedCache", cache);
          for (const steps of rounds) {
            for (const { kind, file: name } of steps) {
              if (kind === "write") write(name);
              if (kind === "mkdir") mkdirSync(join(folder, name.replaceAll(".", "-")), { recursive: true });
              if (kind === "remove") rmSync(join(folder, name), { force: true });
              if (kind === "stage") await git("add", "--force", "--", name).catch(() => undefined);
              if (kind === "unstage") await git("rm", "--quiet", "--cached", "--", name).catch(() => undefined);
              if (kind === "ignore") write(".gitignore", name);
              if (kind === "nest") await git("init", "--quiet", name).catch(() => undefined);
            }
            const options = { untracked: true, timeoutMs: 20_000 };
            const whole = await listChangedFiles(folder, options);
            expect(await listInParts(folder, options)).toEqual(whole);
            for (const paths of [
              ["a", "new", "nested"],
              steps.map(({ file: name }) => name.trim()),
              ["a", "gone/*", ":/new"],
            ])
              expect(await ownOf(paths, listChangedFiles(folder, { ...options, paths }))).toEqual(
                await ownOf(paths, whole),
              );
            // As the user's own git does, which writes the cache that the next round is asked with.
            await git("status");
          }
          rmSync(folder, { recursive: true });
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  });

  test("one that cannot be asked is unknown", async () => {
    const { folder } = await repository(["a"]);
    writeFileSync(join(folder, ".git", "index"), "no index");
    expect(await listInParts(folder, { untracked: true })).toMatchObject({ status: "unknown", reason: "git-error" });
  });
});
