// Compares the verdicts on labelled stops of real sessions with their labels: precision, recall, every disagreement.
// Of a repository without a skeleton nothing is known.
// The folder holds labels.jsonl, transcripts/*.gz and repositories/<owner>__<name>/{tracked.txt,manifests.json}.gz.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

interface Label {
  readonly id: string;
  readonly repo: string;
  readonly transcript: string;
  readonly prompt_offset: number;
  readonly label: "block" | "pass" | "unclear";
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly note: string;
}

/** What the program prints for a stop, as far as it is compared. */
interface Stop {
  readonly file: string;
  readonly promptOffset: number;
  readonly verdict: "block" | "pass";
  readonly reason: string;
  readonly actions: readonly string[];
  readonly changedFiles: readonly string[];
  readonly observations: readonly string[];
}

const PROGRAM = fileURLToPath(new URL("../apps/cli/dist/checkpoint.mjs", import.meta.url));

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder with the labels: npm run truth -- <folder> [--json]");
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "truth-"));
try {
  score(resolve(folder), flags.includes("--json"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function score(labels: string, isJson: boolean): void {
  const all = readFileSync(join(labels, "labels.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Label);
  const stops = new Map<string, Stop>();
  for (const repo of new Set(all.map((label) => label.repo)))
    for (const stop of replayed(
      labels,
      repo,
      all.filter((label) => label.repo === repo),
    ))
      stops.set(keyOf(basename(stop.file), stop.promptOffset), stop);
  const judged = all.map((label) => ({
    label,
    stop: stops.get(keyOf(basename(label.transcript, ".gz"), label.prompt_offset)),
  }));
  if (isJson) for (const { label, stop } of judged) console.log(JSON.stringify({ ...label, stop: stop ?? null }));
  else report(judged);
}

function keyOf(name: string, offset: number): string {
  return `${name} ${offset}`;
}

/** The stops of all transcripts of a repository that have a label. */
function replayed(labels: string, repo: string, own: readonly Label[]): readonly Stop[] {
  const name = repo.replaceAll("/", "__");
  const skeleton = join(labels, "repositories", name);
  const root = existsSync(skeleton) ? ["--root", layOut(skeleton, join(scratch, name))] : [];
  const files = [...new Set(own.map(({ transcript }) => transcript))].map((transcript) => {
    const file = join(scratch, basename(transcript, ".gz"));
    writeFileSync(file, gunzipSync(readFileSync(join(labels, transcript))));
    return file;
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, "replay", "--stops", ...root, ...files], {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
    env: { ...process.env, CHECKPOINT_HOME: join(scratch, "home") },
  });
  if (status !== 0) console.error(`${repo}: exit status ${status}\n${stderr}`);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Stop);
}

/** A repository's skeleton: every tracked file, empty but for the manifests, in the index of a new repository. */
function layOut(from: string, root: string): string {
  mkdirSync(root, { recursive: true });
  const { manifests } = JSON.parse(gunzipSync(readFileSync(join(from, "manifests.json.gz"))).toString()) as {
    readonly manifests: Readonly<Record<string, string>>;
  };
  const tracked = gunzipSync(readFileSync(join(from, "tracked.txt.gz")))
    .toString()
    .split("\n");
  for (const file of new Set([...tracked, ...Object.keys(manifests)])) {
    if (file === "" || !resolve(root, file).startsWith(`${root}/`)) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), manifests[file] ?? "");
  }
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all", "--force"],
  ])
    spawnSync("git", args, { cwd: root });
  return root;
}

function report(judged: readonly { readonly label: Label; readonly stop: Stop | undefined }[]): void {
  const clear = judged.filter(({ label }) => label.label !== "unclear");
  const count = (label: string, verdict: string) =>
    clear.filter((one) => one.label.label === label && (one.stop?.verdict ?? "pass") === verdict).length;
  const [right, nags, missed] = [count("block", "block"), count("pass", "block"), count("block", "pass")];
  const titles = { nag: "FALSE NAGS", miss: "MISSED", absent: "NO SUCH STOP" } as const;
  for (const [kind, title] of Object.entries(titles)) {
    console.log(title);
    for (const { label, stop } of clear) {
      const is =
        stop === undefined ? "absent" : stop.verdict === label.label ? null : stop.verdict === "block" ? "nag" : "miss";
      if (is !== kind) continue;
      console.log(`  ${label.id} ${label.repo} ${label.confidence} [${label.tags.join(", ")}] ${label.note}`);
      if (stop === undefined) continue;
      console.log(`      ${stop.reason} ${stop.actions.join(",")} | ${stop.changedFiles.slice(0, 4).join(", ")}`);
      for (const text of stop.observations) console.log(`      - ${text}`);
    }
  }
  console.log(`precision ${percent(right, right + nags)} (${right} of ${right + nags} blocks)`);
  console.log(`recall    ${percent(right, right + missed)} (${right} of ${right + missed})`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((part / whole) * 100).toFixed(1)} %`;
}
