// Measures what a stop below the threshold pays for being asked whether work is to be saved: the hook as it is against
// the same hook that never asks, called in turns, each a process of its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { build } from "tsdown";
import { hookPrograms } from "../tsdown.config.ts";

const CALLS = Number(process.argv[2] ?? 60);
const TRANSCRIPT_LINES = 3000;

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const builds = here(`node_modules/.bench-${process.pid}`);
const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-bench-"));
try {
  const silent = join(folder, "saving.ts");
  writeFileSync(silent, "export const createSaving = () => undefined;\n");
  const programs = {
    "without the question": await bundle("without", silent),
    "with the question": await bundle("with", null),
  };
  const project = stageProject();
  const times: Record<string, number[]> = {};
  for (let call = 0; call < CALLS + 5; call += 1) {
    for (const [name, program] of Object.entries(programs)) {
      const took = callHook(program, project, `${name}-${call}`);
      // The first calls find cold caches.
      if (call >= 5) (times[name] ??= []).push(took);
    }
  }
  const rows = Object.entries(times).map(([name, all]) => ({ name, ...summary(all) }));
  for (const { name, median, low, high } of rows)
    console.log(
      `${name.padEnd(22)} median ${median.toFixed(1)} ms   middle half ${low.toFixed(1)} to ${high.toFixed(1)} ms   n=${CALLS}`,
    );
  const [without, withIt] = rows;
  if (without !== undefined && withIt !== undefined)
    console.log(
      `added by the question: ${(withIt.median - without.median).toFixed(1)} ms at the median; the middle half of calls spans ${(without.high - without.low).toFixed(1)} ms`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(builds, { recursive: true, force: true });
}

/** The hook, with its question replaced where a stand-in is given. */
async function bundle(name: string, standIn: string | null): Promise<string> {
  const outDir = join(builds, name);
  const stand = { name: "stand-in", resolveId: (id: string) => (id === "./saving.ts" ? standIn : null) };
  for (const program of hookPrograms)
    await build({ ...program, config: false, outDir, logLevel: "silent", plugins: [program.plugins, stand] });
  return join(outDir, "checkpoint-hook.cjs");
}

/** A small repository with a change, and a transcript of some length that ends far below the threshold. */
function stageProject(): { readonly project: string; readonly transcript: string } {
  const project = join(folder, "project");
  mkdirSync(project);
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...args], { cwd: project });
  git("init", "--quiet");
  writeFileSync(join(project, "notes.md"), "before\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  writeFileSync(join(project, "notes.md"), "after\n");
  const usage = { input_tokens: 3, cache_read_input_tokens: 20_000, output_tokens: 100 };
  const answer = (text: string) => ({
    type: "assistant",
    sessionId: "s",
    timestamp: "2026-03-02T09:01:00Z",
    message: { role: "assistant", model: "claude-sonnet-4-5", usage, content: [{ type: "text", text }] },
  });
  const prompt = {
    type: "user",
    sessionId: "s",
    promptId: "p",
    timestamp: "2026-03-02T09:00:00Z",
    message: { role: "user", content: "Take a note" },
  };
  const lines = [...Array.from({ length: TRANSCRIPT_LINES }, () => answer("x".repeat(500))), prompt, answer("Done.")];
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { project, transcript };
}

function callHook(program: string, { project, transcript }: ReturnType<typeof stageProject>, session: string): number {
  const input = JSON.stringify({
    hook_event_name: "Stop",
    session_id: session.replaceAll(" ", "-"),
    prompt_id: "p",
    transcript_path: transcript,
    cwd: project,
    stop_hook_active: false,
    last_assistant_message: "Done.",
    background_tasks: [],
  });
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [program, "--agent", "claude"], {
    input,
    env: {
      PATH: process.env["PATH"],
      CHECKPOINT_HOME: join(folder, "home"),
      CHECKPOINT_NOW: "2026-03-02T09:05:00Z",
      HOME: folder,
    },
  });
  if (status !== 0) throw new Error(`the hook ended with ${status}`);
  return performance.now() - started;
}

function summary(times: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
