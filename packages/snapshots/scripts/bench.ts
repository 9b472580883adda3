/**
 * Measures how long a snapshot takes, beside what git takes for something like it, on packed repositories of several sizes
 * with 50 changed files. Everything takes turns in one run, so that a busy moment hits all of them; our side is measured in
 * this process, git's with the start of its own.
 *
 * node packages/snapshots/scripts/bench.ts [--sizes 1000,20000,100000] [--rounds 5] [--json]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCheckpoint, restoreCheckpoint, type SafetyOptions } from "../src/index.ts";

const CHANGED = 50;
const FILES_PER_FOLDER = 100;

type Step = "git stash create" | "git status" | "first" | "changed" | "unchanged" | "restore" | "scope of 50 files";

/** The goals: ours in times of git's, at most. */
const GOALS: readonly { readonly ours: Step; readonly gits: Step; readonly most: number | null }[] = [
  { ours: "first", gits: "git stash create", most: 2 },
  { ours: "changed", gits: "git stash create", most: 2 },
  { ours: "unchanged", gits: "git status", most: 1.5 },
  { ours: "restore", gits: "git stash create", most: 3 },
  { ours: "scope of 50 files", gits: "git stash create", most: null },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sizes: { type: "string" }, rounds: { type: "string" }, json: { type: "boolean" } },
    // The runner hands on what other benchmarks understand, too.
    strict: false,
  });
  const sizes = String(values.sizes ?? "1000,20000,100000")
    .split(",")
    .map(Number);
  const figures: (readonly [number, ReadonlyMap<Step, number>])[] = [];
  for (const files of sizes) figures.push([files, await measure(files, Number(values.rounds ?? 5))]);
  if (values.json === true)
    return console.log(JSON.stringify(figures.map(([files, ms]) => ({ files, ...Object.fromEntries(ms) }))));
  for (const [files, medians] of figures) {
    console.log(`\n${files.toLocaleString("en-US")} files, ${CHANGED} of them changed; medians in milliseconds`);
    const ratio = ({ ours, gits, most }: (typeof GOALS)[number]) => ({
      ms: round(medians.get(ours)),
      beside: `${gits}: ${round(medians.get(gits))}`,
      ratio: round((medians.get(ours) ?? 0) / (medians.get(gits) ?? 1)),
      goal: most ?? "",
    });
    console.table(Object.fromEntries(GOALS.map((goal) => [goal.ours, ratio(goal)])));
  }
}

async function measure(files: number, rounds: number): Promise<ReadonlyMap<Step, number>> {
  const top = mkdtempSync(join(realpathSync(tmpdir()), "safety-bench-"));
  try {
    const root = join(top, "work");
    for (const folder of [root, join(top, "home"), join(top, "user")]) mkdirSync(folder);
    writeTree(root, files);
    const git = (...args: readonly string[]): Promise<number> => took(async () => runGit(root, args));
    for (const args of [
      ["init", "--quiet"],
      ["add", "--all"],
      ["commit", "--quiet", "--message", "first"],
      ["gc", "--quiet"],
    ])
      await git(...args);
    const options: SafetyOptions = { cwd: root, home: join(top, "home"), userHome: join(top, "user") };
    const measured = new Map<Step, number[]>();
    const note = (step: Step, ms: number): void => void measured.set(step, [...(measured.get(step) ?? []), ms]);
    for (let turn = 0; turn < rounds; turn += 1) {
      change(root, files, `first ${turn}`);
      await settle();
      rmSync(join(root, ".git", "agent-checkpoint"), { recursive: true, force: true });
      note("git stash create", await git("stash", "create"));
      note("first", await took(() => create(["."], options)));
      const changed = change(root, files, `next ${turn}`);
      await settle();
      note("git stash create", await git("stash", "create"));
      note("changed", await took(() => create(["."], options)));
      note("git status", await git("status", "--porcelain"));
      note("unchanged", await took(() => create(["."], options)));
      note("git status", await git("status", "--porcelain"));
      note("scope of 50 files", await took(() => create(changed, options)));
      const id = await create(["."], options);
      change(root, files, `broken ${turn}`);
      note("restore", await took(() => restore(id, options)));
    }
    return new Map([...measured].map(([step, ms]) => [step, median(ms)]));
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
function change(root: string, files: number, turn: string): readonly string[] {
  return Array.from({ length: CHANGED }, (_, index) => {
    const path = pathOf(Math.floor((index * files) / CHANGED));
    writeFileSync(join(root, path), `// changed: ${turn}, ${index}\n${"export const changed = true;\n".repeat(20)}`);
    return path;
  });
}

function runGit(cwd: string, args: readonly string[]): void {
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  execFileSync("git", [...identity, ...args], { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
}

/** Git compares times in whole seconds, so what was just written is read again. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value = Number.NaN): number {
  return Math.round(value * 100) / 100;
}

await main();
