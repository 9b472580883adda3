import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listChangedFilesSync, peekRepository } from "@agent-checkpoint/git";
import { afterAll, beforeEach, expect, test } from "vitest";
import { markFiles, openFiles, proofsOf } from "./settled-files.ts";

const scratch = mkdtempSync(join(tmpdir(), "settled-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let root = "";
let count = 0;
beforeEach(() => {
  count += 1;
  root = join(scratch, String(count));
  mkdirSync(join(root, "src"), { recursive: true });
  for (const file of ["src/a.ts", "src/b.ts", "src/c.ts", "README.md"]) write(file, `old ${file}`);
  run("git init -qb main && git config user.name a && git config user.email a@b.c && git add . && git commit -qm one");
});

const write = (file: string, text: string) => writeFileSync(join(root, file), text);

function run(command: string): void {
  const { status, stderr } = spawnSync("bash", ["-c", command], { cwd: root, encoding: "utf8" });
  expect({ command, status, stderr }).toMatchObject({ status: 0 });
}

const changed = (place: string) => {
  const listed = listChangedFilesSync(place, { untracked: true });
  return listed.status === "known" ? listed.files : [];
};

/** Two files are changed and proven, then something happens; which files are open in the end? */
const cases = [
  { event: "nothing", change: () => {}, open: [] },
  { event: "the commit of a part", change: () => run("git commit -qm two src/a.ts"), open: [] },
  {
    event: "the commit of all, which is then amended",
    change: () =>
      run(
        "git commit -qam two && touch x && git add x && git commit -q --amend --no-edit && git reset -q --soft HEAD~",
      ),
    open: ["x"],
  },
  { event: "another file", change: () => write("README.md", "words"), open: ["README.md"] },
  { event: "a new file", change: () => write("src/new.ts", "new"), open: ["src/new.ts"] },
  { event: "an edit", change: () => write("src/a.ts", "changed"), open: ["src/a.ts"] },
  { event: "an edit of the same length", change: () => write("src/a.ts", "wen a"), open: ["src/a.ts"] },
  { event: "an edit whose date is set back", change: () => editInThePast(), open: ["src/a.ts"] },
  { event: "a part taken back", change: () => run("git checkout -q src/b.ts"), open: [] },
  { event: "a file that is removed", change: () => run("rm src/a.ts"), open: ["src/a.ts"] },
  { event: "a stash that is popped", change: () => run("git stash -q && git stash pop -q"), open: [] },
  { event: "the same content, written again", change: () => write("src/a.ts", "new a"), open: [] },
  {
    event: "a rebase",
    change: () =>
      run(
        "git stash -q && git checkout -qb side && echo y > y && git add y && git commit -qm y && git checkout -q main && git stash pop -q && git commit -qam two && git rebase -q side && git reset -q --soft side",
      ),
    open: [],
  },
];

test.for(cases)("after $event, open is $open", ({ change, open }) => {
  write("src/a.ts", "new a");
  write("src/b.ts", "new b");
  const settled = prove(root);
  change();
  expect(openIn(root, settled)).toEqual(open);
});

test("a removed file stays removed", () => {
  run("rm src/c.ts");
  const settled = prove(root);
  expect(openIn(root, settled)).toEqual([]);
  write("src/c.ts", "here again");
  expect(openIn(root, settled)).toEqual(["src/c.ts"]);
});

test("another work tree of the repository has the same proofs", () => {
  write("src/a.ts", "new a");
  const settled = prove(root);
  run("git worktree add -q ../tree-of-$(basename $PWD)");
  const tree = join(scratch, `tree-of-${count}`);
  writeFileSync(join(tree, "src/a.ts"), "new a");
  writeFileSync(join(tree, "src/b.ts"), "other");
  expect(openIn(tree, settled)).toEqual(["src/b.ts"]);
  expect([peekRepository(tree), peekRepository(root)]).toEqual([root, root]);
});

test("large files, and more than a few, are known by their stat alone", () => {
  write("src/a.ts", "x".repeat(300_000));
  for (let index = 0; index < 30; index += 1) write(`src/f${index}.ts`, "new");
  const settled = prove(root);
  expect(openIn(root, settled)).toEqual([]);
  for (const file of ["src/a.ts", "src/f29.ts", "src/f0.ts"]) write(file, readFileSync(join(root, file), "utf8"));
  expect(openIn(root, settled)).toEqual(["src/a.ts", "src/f29.ts"]);
});

function prove(place: string) {
  const files = changed(place);
  const marks = markFiles(place, files) ?? new Map();
  return proofsOf(place, { files, marks, settled: "proven", at: new Date() });
}

function openIn(place: string, settled: ReturnType<typeof prove>): readonly string[] {
  const files = changed(place);
  return openFiles(place, { files, marks: markFiles(place, files) ?? new Map(), settled });
}

function editInThePast(): void {
  write("src/a.ts", "wen a");
  utimesSync(join(root, "src/a.ts"), new Date(0), new Date(0));
}
