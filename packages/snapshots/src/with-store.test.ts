import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCheckpoint } from "./index.ts";
import { createWorkspace, photograph, type Workspace } from "./testing/workspace.ts";

const SECRET = "TOKEN=1\n";

/** First checkpoints of which nothing can come, though there are files. */
const REFUSALS = [
  { scope: ".", of: "ignored files alone", files: { "build/a.js": "1\n" }, code: "nothing-matched", isForGit: true },
  { scope: ".", of: "sensitive files alone", files: { ".env": SECRET }, code: "only-sensitive" },
  { scope: ".env", of: "a sensitive file that is named", files: { ".env": SECRET }, code: "only-sensitive" },
  { scope: ".", of: "files that are too large alone", files: { "a.txt": "12345" }, code: "nothing-captured" },
] as const;

/** Everything that the program could have written to, times included. */
function everything({ root, options }: Workspace): unknown {
  return {
    files: photograph(root, { times: true }),
    top: readdirSync(root).sort(),
    git:
      existsSync(join(root, ".git")) && readdirSync(join(root, ".git"), { recursive: true, encoding: "utf8" }).sort(),
    home: photograph(options.home),
  };
}

describe.for([{ git: true }, { git: false }])("where nothing was made before (git: $git)", ({ git }) => {
  test.for(REFUSALS.filter((refusal) => git || !("isForGit" in refusal)))(
    "a refused checkpoint of $of leaves nothing behind",
    async ({ scope, files, code }) => {
      const made = createWorkspace({ git });
      if (git) writeFileSync(join(made.root, ".git/info/exclude"), "build\n");
      for (const [path, content] of Object.entries(files)) made.write(path, content);
      const before = everything(made);
      const options = { ...made.options, auditAs: "create", limits: { fileBytes: 4 } };
      expect(await createCheckpoint({ scope }, options)).toMatchObject({ status: "refused", code });
      expect(everything(made)).toEqual(before);
    },
  );
});

test("a store of its own, with folders on the way to it, is taken away as far as it was made", async () => {
  const { options, root, write } = createWorkspace();
  write(".env", SECRET);
  mkdirSync(`${root}-stores`);
  const store = `${root}-stores/on/the/way`;
  expect(await createCheckpoint({ scope: ".env" }, { ...options, store })).toMatchObject({ code: "only-sensitive" });
  expect(readdirSync(`${root}-stores`)).toEqual([]);
});

test("a store that was there stays, with the line in the audit", async () => {
  const { options, root, write } = createWorkspace();
  write(".env", SECRET);
  write("a.txt", "1\n");
  await createCheckpoint({ scope: "a.txt" }, options);
  const store = (): unknown => readdirSync(join(root, ".git/agent-checkpoint"), { recursive: true, encoding: "utf8" });
  const before = store();
  await createCheckpoint({ scope: ".env" }, { ...options, auditAs: "create" });
  expect(store()).toEqual(before);
  expect(existsSync(join(root, ".audit/checkpoint-operations.log"))).toBe(true);
});

test("a link in the place of the store is refused, and nothing is written to where it points", async () => {
  const { options, root, write } = createWorkspace();
  write("a.txt", "1\n");
  mkdirSync(`${root}-elsewhere`);
  symlinkSync(`${root}-elsewhere`, join(root, ".git/agent-checkpoint"));
  expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({ status: "failed", code: "io" });
  expect(readdirSync(`${root}-elsewhere`)).toEqual([]);
  expect(readdirSync(root).sort()).toEqual([".git", "a.txt"]);
});

test("one that is made at the same time is made", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { options, write } = createWorkspace({ git: round % 2 === 0 });
    write(".env", SECRET);
    write("a.txt", "1\n");
    const [refused, made] = await Promise.all(
      [".env", "a.txt"].map((scope) => createCheckpoint({ scope }, { ...options, auditAs: "create" })),
    );
    expect({ refused: refused?.status, made: made?.status }).toEqual({ refused: "refused", made: "created" });
    expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({ status: "created", notes: [] });
  }
});
