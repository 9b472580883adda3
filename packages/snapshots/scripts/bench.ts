/**
 * Measures how long a checkpoint takes, beside what git takes for something like it, on repositories of two sizes with
 * 50 changed files. Everything takes turns in one run, so that a busy moment hits all of them; our side is measured in
 * this process, git's with the start of its own.
 *
 * node packages/snapshots/scripts/bench.ts [--sizes 10000,100000] [--rounds 5] [--json]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCheckpoint, restoreCheckpoint, type SafetyOptions } from "../src/index.ts";

const CHANGED = 50;
const FILES_PER_FOLDER = 100;
const PAIRS = 3;

/** The goals: ours in times of git's, at most. */
const GOALS: readonly { readonly ours: Step; readonly gits: Step; readonly most: number | null }[] = [
  { ours: "create, the changed files", gits: "git stash create", most: 2 },
  { ours: "create, everything", gits: "git stash create", most: null },
  { ours: "create, everything", gits: "shadow: git add -A && git commit", most: null },
  { ours: "create again, nothing changed", gits: "git status", most: 1 },
  { ours: "restore, the changed files", gits: "git stash create", most: null },
  { ours: "restore, the changed files", gits: "shadow: git checkout of the files", most: null },
];

type Step =
  | "git status"
  | "git stash create"
  | "shadow: git add -A && git commit"
  | "shadow: git checkout of the files"
  | "create, the changed files"
  | "create, everything"
  | "create again, nothing changed"
  | "restore, the changed files";

interface Figures {
  readonly files: number;
  /** The first checkpoint of everything, into an empty store. */
  readonly firstMs: number;
  /** The first commit of the shadow repository. */
  readonly firstShadowMs: number;
  readonly medians: Readonly<Record<Step, number>>;
  readonly ratios: readonly {
    readonly ours: Step;
    readonly gits: Step;
    readonly ratio: number;
    readonly goal: number | null;
  }[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sizes: { type: "string" }, rounds: { type: "string" }, json: { type: "boolean" } },
    // The runner hands on what other benchmarks understand, too.
    strict: false,
  });
  const sizes = String(values.sizes ?? "10000,100000")
    .split(",")
    .map(Number);
  const figures: Figures[] = [];
  for (const size of sizes) figures.push(await measure(size, Number(values.rounds ?? 5)));
  if (values.json === true) return console.log(JSON.stringify(figures, null, 2));
  for (const { files, firstMs, firstShadowMs, medians, ratios } of figures) {
    console.log(`\n${files.toLocaleString("en-US")} files, ${CHANGED} of them changed; medians`);
    console.table({
      ...Object.fromEntries(Object.entries(medians).map(([step, ms]) => [step, { ms: round(ms) }])),
      "create, everything, the first time": { ms: round(firstMs) },
      "shadow: the first commit": { ms: round(firstShadowMs) },
    });
    console.table(
      ratios.map(({ ours, gits, ratio, goal }) => ({ ours, "git's": gits, ratio: round(ratio), goal: goal ?? "" })),
    );
  }
  console.log(JSON.stringify(figures));
}

async function measure(files: number, rounds: number): Promise<Figures> {
  const top = mkdtempSync(join(realpathSync(tmpdir()), "safety-bench-"));
  try {
    const root = join(top, "work");
    const shadow = join(top, "shadow.git");
    for (const folder of [root, join(top, "home"), join(top, "user")]) mkdirSync(folder);
    writeTree(root, files);
    const git = (...args: readonly string[]): number => timed(() => runGit(root, args));
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "--message", "first");
    execFileSync("git", ["init", "--quiet", "--bare", shadow], { env: environment() });
    const shadowGit = (...args: readonly string[]): number =>
      timed(() => runGit(root, [`--git-dir=${shadow}`, `--work-tree=${root}`, ...args]));
    const options: SafetyOptions = { cwd: root, home: join(top, "home"), userHome: join(top, "user") };

    const firstShadowMs = shadowGit("add", "--all") + shadowGit("commit", "--quiet", "--message", "first");
    const firstMs = await took(() => create(["."], options));
    // Times of files count to the second in places, so what was just written is looked at again.
    await settle();
    await create(["."], options);

    const measured = new Map<Step, number[]>();
    const note = (step: Step, ms: number): void => void measured.set(step, [...(measured.get(step) ?? []), ms]);
    for (let turn = 0; turn < rounds; turn += 1) {
      const changed = change(root, files, turn);
      await settle();
      note("git stash create", git("stash", "create"));
      note("create, the changed files", await took(() => create(changed, options)));
      note("create, everything", await took(() => create(["."], options)));
      // Both are short, and take turns more often.
      for (let pair = 0; pair < PAIRS; pair += 1) {
        note("git status", git("status", "--porcelain"));
        note("create again, nothing changed", await took(() => create(["."], options)));
      }
      note(
        "shadow: git add -A && git commit",
        shadowGit("add", "--all") + shadowGit("commit", "--quiet", "--message", "next"),
      );
      const id = await create(changed, options);
      for (const file of changed) writeFileSync(join(root, file), `broken ${turn}\n`);
      note("restore, the changed files", await took(() => restore(id, options)));
      for (const file of changed) writeFileSync(join(root, file), `broken ${turn}\n`);
      note("shadow: git checkout of the files", shadowGit("checkout", "--quiet", "HEAD", "--", ...changed));
    }
    const medians = Object.fromEntries([...measured].map(([step, ms]) => [step, median(ms)])) as Record<Step, number>;
    const ratios = GOALS.map(({ ours, gits, most }) => ({
      ours,
      gits,
      ratio: medians[ours] / medians[gits],
      goal: most,
    }));
    return { files, firstMs, firstShadowMs, medians, ratios };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

async function create(scope: readonly string[], options: SafetyOptions): Promise<string> {
  const made = await createCheckpoint({ scope, reason: "bench" }, options);
  if (made.status !== "created") throw new Error(made.message);
  return made.report.checkpoint?.id ?? "";
}

async function restore(id: string, options: SafetyOptions): Promise<void> {
  const back = await restoreCheckpoint({ id, force: true }, options);
  if (back.status !== "restored" || !back.report.verification.match) throw new Error(JSON.stringify(back));
}

function writeTree(root: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const path = join(root, pathOf(index));
    if (index % FILES_PER_FOLDER === 0) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `// file ${index}\n${`export const value${index} = ${index * 7919};\n`.repeat(20)}`);
  }
}

function pathOf(index: number): string {
  const folder = Math.floor(index / FILES_PER_FOLDER);
  return `src/${folder % 10}/folder-${folder}/file-${index}.ts`;
}

/** Changes files all over the tree, to something that was never there. */
function change(root: string, files: number, turn: number): readonly string[] {
  return Array.from({ length: CHANGED }, (_, index) => {
    const path = pathOf(Math.floor((index * files) / CHANGED));
    writeFileSync(
      join(root, path),
      `// changed in turn ${turn}, ${index}\n${"export const changed = true;\n".repeat(20)}`,
    );
    return path;
  });
}

function runGit(cwd: string, args: readonly string[]): void {
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"];
  execFileSync("git", [...identity, ...args], { cwd, env: environment(), stdio: ["ignore", "ignore", "inherit"] });
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

await main();
