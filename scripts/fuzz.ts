// The long mode of the fuzzing: every target with a random seed, and how many cases each was given.
// A counterexample comes again by the seed and the path that it was reported with:
//   npm run fuzz -- --seed 123 --path 4:1:0 packages/transcript -t "a damaged recording"
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a target was given, as it reports it. */
interface Target {
  readonly target: string;
  readonly cases: number;
  readonly seconds: number;
}

const rest = process.argv.slice(2);
const runs = option("--runs") ?? "1";
const seed = option("--seed") ?? String(Math.floor(Math.random() * 2 ** 31));
const path = option("--path");
const folder = mkdtempSync(join(tmpdir(), "checkpoint-fuzz-"));
const report = join(folder, "report.jsonl");

console.log(`Seed ${seed}, ${runs} times the usual cases`);
const { status } = spawnSync("vitest", ["run", ...(rest.length === 0 ? [".fuzz.test.ts"] : rest)], {
  stdio: "inherit",
  env: {
    ...process.env,
    CHECKPOINT_FUZZ_RUNS: runs,
    CHECKPOINT_FUZZ_SEED: seed,
    CHECKPOINT_FUZZ_REPORT: report,
    ...(path !== undefined && { CHECKPOINT_FUZZ_PATH: path }),
  },
});
const targets = existsSync(report)
  ? readFileSync(report, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Target)
  : [];
rmSync(folder, { recursive: true, force: true });
for (const { target, cases, seconds } of targets.toSorted((one, other) => (one.target < other.target ? -1 : 1)))
  console.log(`${String(cases).padStart(8)} in ${seconds.toFixed(1).padStart(7)} s  ${target}`);
console.log(`${String(targets.reduce((sum, { cases }) => sum + cases, 0)).padStart(8)} cases in all, seed ${seed}`);
process.exit(status ?? 1);

/** Takes an option and its value out of what vitest is given. */
function option(name: string): string | undefined {
  const at = rest.indexOf(name);
  return at === -1 ? undefined : rest.splice(at, 2)[1];
}
