import { Worker } from "node:worker_threads";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import type { FileResult, ReplayOptions } from "../judge/replay-file.ts";

/** How files are replayed. */
export interface FileRun {
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
export async function runInThreads(
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
