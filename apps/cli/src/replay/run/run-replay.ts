import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { FailedFile, TranscriptFile } from "../files/find-transcripts.ts";
import { createFileReplayer, type FileResult, type ReplayOptions } from "../judge/replay-file.ts";
import { EMPTY_SUMMARY, mergeSummaries, type Summary } from "../judge/summary.ts";

/** The result of a replay, by agent and by project. */
export interface ReplayOutcome {
  readonly isComplete: boolean;
  readonly files: FileCounts;
  readonly failed: readonly FailedFile[];
  readonly agents: ReadonlyMap<AgentName, Summary>;
  readonly projects: ReadonlyMap<string | null, Summary>;
}

export interface FileCounts {
  readonly found: number;
  readonly replayed: number;
  readonly subAgents: number;
  readonly otherAgents: number;
  readonly notTranscripts: number;
}

export interface ReplayRun extends ReplayOptions {
  /** How many threads; null for one per core. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  /** Called for every finished file. */
  readonly onFile: (file: TranscriptFile) => void;
}

const MAX_JOBS = 16;

/** A run this small ends before a thread has started. */
const SMALL_RUN = { files: 24, bytes: 4 * 1024 * 1024 } as const;

/** Replays files and adds up the results. */
export async function runReplay(files: readonly TranscriptFile[], run: ReplayRun): Promise<ReplayOutcome> {
  const { given, home, lentRoot, agent, since, signal, onFile } = run;
  const agents = new Map<AgentName, Summary>();
  const projects = new Map<string | null, Summary>();
  const failed: FailedFile[] = [];
  const counts = { replayed: 0, "sub-agent": 0, "other-agent": 0, "not-a-transcript": 0 };
  const onResult = (file: TranscriptFile, result: FileResult): void => {
    onFile(file);
    if (result.kind === "failed") failed.push({ path: file.path, reason: result.reason });
    if (result.kind === "skipped") counts[result.why] += 1;
    if (result.kind !== "replayed") return;
    counts.replayed += 1;
    addTo(agents, result.agent, result.summary);
    addTo(projects, result.project, result.summary);
  };
  const options: ReplayOptions = { given, home, lentRoot, agent, since };
  // The largest first, so that no thread is left alone with one at the end.
  const largestFirst = files.toSorted((one, other) => other.size - one.size);
  const fileRun: FileRun = { options, onResult, signal };
  if (isSmall(files)) await runHere(largestFirst, fileRun);
  else await runInThreads(largestFirst, { ...fileRun, jobs: Math.min(run.jobs ?? availableParallelism(), MAX_JOBS) });
  return {
    isComplete: !signal.aborted,
    files: {
      found: files.length,
      replayed: counts.replayed,
      subAgents: counts["sub-agent"],
      otherAgents: counts["other-agent"],
      notTranscripts: counts["not-a-transcript"],
    },
    failed: failed.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    agents,
    projects,
  };
}

function addTo<Key>(summaries: Map<Key, Summary>, key: Key, summary: Summary): void {
  if (summary.turns > 0) summaries.set(key, mergeSummaries(summaries.get(key) ?? EMPTY_SUMMARY, summary));
}

/** Replays files one after the other in this thread: for a few small ones that is quicker than starting another. */
async function runHere(files: readonly TranscriptFile[], { options, onResult, signal }: FileRun): Promise<void> {
  const replay = createFileReplayer(options);
  for (const file of files) {
    if (signal.aborted) return;
    onResult(file, await replay(file));
    await setImmediate();
  }
}

function isSmall(files: readonly TranscriptFile[]): boolean {
  return files.length <= SMALL_RUN.files && files.reduce((sum, { size }) => sum + size, 0) <= SMALL_RUN.bytes;
}

interface FileRun {
  readonly options: ReplayOptions;
  readonly onResult: (file: TranscriptFile, result: FileResult) => void;
  /** Ends the run early, and gives up what is in progress. */
  readonly signal: AbortSignal;
}

/** The program of a thread; it is built beside ours. */
const PROGRAM = new URL("./replay-worker.mjs", import.meta.url);

/** Only one turn is held at a time, so this is more than any file needs. */
const MAX_MEMORY_MB = 768;

/** Replays files in threads; each takes the next file when it has finished one. */
async function runInThreads(
  files: readonly TranscriptFile[],
  { jobs, options, onResult, signal }: FileRun & { readonly jobs: number },
): Promise<void> {
  const waiting = files.values();
  const threads = Array.from({ length: Math.min(jobs, files.length) }, async () => {
    for (let isEnded = false; !isEnded;) {
      const worker = new Worker(PROGRAM, {
        workerData: options,
        resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      });
      isEnded = await workOff(worker, waiting, { onResult, signal });
      await worker.terminate();
    }
  });
  await Promise.all(threads);
}

/**
 * Gives files to a thread until there are none left.
 *
 * Returns false if a file crashed the thread: that file has failed, and another thread continues. It throws if the thread
 * does not even start.
 */
function workOff(
  worker: Worker,
  waiting: Iterator<TranscriptFile>,
  { onResult, signal }: Pick<FileRun, "onResult" | "signal">,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let current: TranscriptFile | null = null;
    const finish = (result: FileResult): void => {
      if (current !== null && !signal.aborted) onResult(current, result);
    };
    signal.addEventListener("abort", () => resolve(true), { once: true });
    worker.on("message", (message: FileResult | "ready") => {
      if (message !== "ready") finish(message);
      const { value, done } = waiting.next();
      if (done === true || signal.aborted) return resolve(true);
      current = value;
      worker.postMessage(value, []);
    });
    worker.on("error", (error) => {
      if (current === null) return reject(error);
      finish({ kind: "failed", reason: `unexpected: ${error.message}` });
      resolve(false);
    });
  });
}
