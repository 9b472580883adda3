import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCheckpoint, listCheckpoints, noteWrites, showCheckpoint } from "../index.ts";
import { allContents } from "../testing/damage.ts";
import { createWorkspace, photograph, runTestGit } from "../testing/workspace.ts";

const NOW = new Date("2031-01-31T12:00:00.000Z");
/** In two parts, so that this file itself holds none. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

test("the answer is the one of the contract", async () => {
  const { options, write, root } = createWorkspace({ committed: { "a.txt": "one\ntwo\n", "src/b.ts": "three\n" } });
  write("src/b.ts", "changed\n");
  const result = await createCheckpoint(
    { scope: ["src", "a.txt", "new.txt"], reason: "a reason", expiry: "24h" },
    { ...options, now: () => NOW, program: ["node", "o'dd/cli.mjs"] },
  );
  const id = result.report.checkpoint?.id ?? "";
  expect(id).toMatch(/^chk_20310131_120000_[0-9a-z]{6}$/);
  expect(result).toEqual({
    status: "created",
    notes: [],
    absent: ["new.txt"],
    report: {
      checkpoint_created: true,
      checkpoint: {
        id,
        type: "git_stash",
        created_at: "2031-01-31T12:00:00.000Z",
        scope: { files: ["a.txt", "new.txt", "src/b.ts"], state_keys: [] },
        restore_command: String.raw`node 'o'\''dd/cli.mjs' snapshot restore ${id} --root ${root}`,
        expiry: "2031-02-01T12:00:00.000Z",
      },
      pre_mutation_state: {
        hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        summary: "2 files, 16 bytes, 1 uncommitted change",
      },
      next_safe_actions: expect.arrayContaining([expect.stringContaining("edit")]),
      confidence: 1,
      confidence_basis: "everything in scope was captured and can be restored",
      evidence_anchors: [
        expect.stringMatching(new RegExp(`^tool:bash:.*verify ${id}.*# sha256:`)),
        `file:.checkpoints/${id}/manifest.json`,
        expect.stringMatching(/^tool:bash:git .*show/),
      ],
      assumptions: [],
      excluded: [],
      skipped: [],
    },
  });
});

test("the hash is the SHA-256 of the stream in the store, and the workspace has the manifest", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("a.txt", "one\n", 0o640);
  const result = await createCheckpoint({ scope: "." }, options);
  const id = result.report.checkpoint?.id ?? "";
  const hash = result.report.pre_mutation_state.hash?.slice("sha256:".length) ?? "";
  const shown = await showCheckpoint(id, options);
  const store = shown.status === "shown" ? (/--store (\S+)/.exec(shown.manifest.restoreCommand)?.[1] ?? "") : "";
  const repository = join(store, "snapshots.git");
  const stream = runTestGit(root, ["--git-dir", repository, "show", `refs/snapshots/${id}:.checkpoints/entries`]);
  expect(createHash("sha256").update(stream).digest("hex")).toBe(hash);
  expect([store, repository].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
  const oid = runTestGit(root, ["hash-object", "--no-filters", "a.txt"]).trim();
  expect(JSON.parse(readFileSync(join(root, ".checkpoints", id, "manifest.json"), "utf8"))).toMatchObject({
    id,
    tree: `sha256:${hash}`,
  });
  expect(shown).toMatchObject({ entries: [{ path: "a.txt", type: "file", mode: "0640", size: 4, oid }] });
  expect(readFileSync(join(root, ".checkpoints/checkpoint-manifest.log"), "utf8")).toContain(id);
});

test("an operation leaves one redacted line in the audit, and git sees none of it", async () => {
  const { options, root, git, write } = createWorkspace({ committed: { "a.txt": "one\n", ".gitignore": ".env\n" } });
  write(".env", "A=1\n");
  const auditAs = `checkpoint snapshot create a.txt --reason ${TOKEN}\nforged line`;
  await createCheckpoint({ scope: "a.txt" }, { ...options, now: () => NOW, auditAs });
  await createCheckpoint({ scope: ".env" }, { ...options, now: () => NOW, auditAs: "second" });
  expect(readFileSync(join(root, ".audit/checkpoint-operations.log"), "utf8")).toBe(
    "[CHECKPOINT] 2031-01-31T12:00:00Z | Command: checkpoint snapshot create a.txt --reason [redacted] forged line | Exit: 0\n" +
      "[CHECKPOINT] 2031-01-31T12:00:00Z | Command: second | Exit: 2\n",
  );
  expect(git("status", "--porcelain", "--ignored=no")).toBe("");
});

describe("what is left out", () => {
  test("files with secrets, by name and by content, with the rule and never the content", async () => {
    const { options, write } = createWorkspace({ git: false });
    write("ok.txt", "fine\n");
    write(".env", "A=1\n");
    write(".env.example", "A=\n");
    write("deploy.ts", `const token = "${TOKEN}";\n`);
    const result = await createCheckpoint({ scope: "." }, options);
    expect(result.report).toMatchObject({
      checkpoint: { scope: { files: [".env.example", "ok.txt"] } },
      confidence: 0.95,
      excluded: [
        { path: ".env", rule: "env-file", reason: "an environment file" },
        { path: "deploy.ts", rule: "secret-github", reason: "its contents hold a secret (github)" },
      ],
    });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
    expect(allContents(options.home).filter((content) => /ghp_|^A=1$/m.test(content))).toEqual([]);
  });

  test("a staged file with secrets is in no object of ours, nor is a staged secret that the file no longer holds", async () => {
    const { options, write, git, root } = createWorkspace({ committed: { "a.txt": "one\n", "b.ts": "fine\n" } });
    write(".env", "A=1\n");
    write("b.ts", `const token = "${TOKEN}";\n`);
    git("add", "--force", ".env", "b.ts");
    write("b.ts", "fine again\n");
    const { report } = await createCheckpoint({ scope: "." }, options);
    expect(report).toMatchObject({ checkpoint_created: true, excluded: [{ path: ".env" }] });
    const contents = allContents(join(root, ".git/agent-checkpoint"));
    expect(contents).toContain("fine again\n");
    expect(contents.filter((content) => /ghp_|^A=1$/m.test(content))).toEqual([]);
  });

  test("nothing but secrets: no checkpoint", async () => {
    const { options, write } = createWorkspace({ committed: { "a.txt": "one\n" } });
    write(".env", "A=1\n");
    expect(await createCheckpoint({ scope: ".env" }, options)).toMatchObject({
      status: "refused",
      code: "only-sensitive",
      report: { checkpoint_created: false, checkpoint: null, excluded: [{ path: ".env" }] },
    });
    expect(await listCheckpoints(options)).toMatchObject({ checkpoints: [] });
  });

  test.for([
    { limits: { fileBytes: 3 }, rule: "file-too-large" },
    { limits: { totalBytes: 6 }, rule: "checkpoint-too-large" },
    { limits: { files: 1 }, rule: "too-many-files" },
    { limits: { millis: -1 }, rule: "out-of-time" },
  ])("what does not fit: $rule", async ({ limits, rule }) => {
    const { options, write } = createWorkspace({ git: false });
    write("a.txt", "1\n");
    write("b.txt", "12345\n");
    const { report } = await createCheckpoint({ scope: ["a.txt", "b.txt", "absent"] }, { ...options, limits });
    expect(report).toMatchObject({
      checkpoint_created: true,
      confidence: 0.8,
      skipped: expect.arrayContaining([expect.objectContaining({ path: "b.txt", rule })]),
    });
  });

  test("a pipe", async () => {
    const { options, write, root } = createWorkspace({ git: false });
    write("a.txt", "1\n");
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await createCheckpoint({ scope: "." }, options)).toMatchObject({
      status: "created",
      report: { skipped: [{ path: "pipe", rule: "special" }] },
    });
  });
});

describe("what is refused, with nothing written", () => {
  test.for(["../..", "/", "src/*.none", "link/inside"])("the scope %s", async (scope) => {
    const { options, root, write } = createWorkspace({ git: false });
    write("a.txt", "1\n");
    mkdirSync(`${root}-elsewhere`);
    symlinkSync(`${root}-elsewhere`, join(root, "link"));
    const before = photograph(root, { times: true });
    expect(await createCheckpoint({ scope }, options)).toMatchObject({
      status: "refused",
      report: { checkpoint_created: false },
    });
    expect(photograph(root, { times: true })).toEqual(before);
    expect(existsSync(join(root, ".checkpoints"))).toBe(false);
  });

  test("a home folder, and one around it", async () => {
    const { options, root } = createWorkspace({ git: false });
    for (const userHome of [root, join(root, "me")]) {
      expect(await createCheckpoint({ scope: "." }, { ...options, userHome })).toMatchObject({
        status: "refused",
        code: "unsafe-root",
      });
    }
    expect(existsSync(join(options.home, "snapshots"))).toBe(false);
  });

  test("files together with a state, and git_stash without git", async () => {
    const { options, write } = createWorkspace({ git: false });
    write("a.txt", "1\n");
    expect(await createCheckpoint({ scope: ["a.txt", "state:x"] }, options)).toMatchObject({ code: "mixed-scope" });
    expect(await createCheckpoint({ scope: "a.txt", checkpoint_type: "git_stash" }, options)).toMatchObject({
      code: "bad-input",
    });
  });
});

test("a file that the session had already changed lowers the confidence, and the report says so", async () => {
  const { options, root, write } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const own = { ...options, session: "S" };
  write("a.txt", "by the agent\n");
  await noteWrites([join(root, "a.txt")], own);
  expect(await createCheckpoint({ scope: "a.txt" }, own)).toMatchObject({
    report: { confidence: 0.8, assumptions: [expect.stringContaining("`a.txt`")] },
  });
  expect(await createCheckpoint({ scope: "a.txt" }, { ...options, session: "other" })).toMatchObject({
    report: { confidence: 1, assumptions: [] },
  });
});

test("hard links are named in the assumptions", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("a.txt", "1\n");
  linkSync(join(root, "a.txt"), join(root, "b.txt"));
  expect(await createCheckpoint({ scope: "." }, options)).toMatchObject({
    report: { assumptions: [expect.stringContaining("2 files have more than one name")] },
  });
});

test(
  "a large tree: the second checkpoint is of the same state, a changed one is not, whatever changed",
  { timeout: 60_000 },
  async () => {
    const { options, write, git } = createWorkspace({
      committed: Object.fromEntries(
        Array.from({ length: 400 }, (_, index) => [`d${index % 7}/f${index}.txt`, `${index}\n`]),
      ),
    });
    write("d1/untracked.txt", "untracked\n");
    write("d2/f2.txt", "dirty\n");
    const hash = async (): Promise<unknown> =>
      (await createCheckpoint({ scope: "." }, options)).report.pre_mutation_state.hash;
    const seen = [await hash()];
    const changes: readonly (() => void)[] = [
      () => write("d1/untracked.txt", "UNTRACKED\n"),
      () => write("d2/f2.txt", "DIRTY\n"),
      () => write("d3/f3.txt", "4\n"),
      () => write("d3/f3.txt", "4\n", 0o600),
      () => execFileSync("chmod", ["700", join(options.cwd, "d4")]),
      () => execFileSync("rm", [join(options.cwd, "d5/f5.txt")]),
      () => write("d6/new.txt", "new\n"),
      () => void git("update-index", "--assume-unchanged", "d0/f7.txt"),
      () => write("d0/f7.txt", "8\n"),
      () => void git("add", "--all"),
    ];
    for (const change of changes) {
      expect(await hash()).toBe(seen.at(-1));
      change();
      seen.push(await hash());
    }
    // To assume a file unchanged and to stage the rest changes no file.
    expect(new Set(seen).size).toBe(seen.length - 2);
  },
);
