import { setImmediate } from "node:timers/promises";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { createFileReplayer } from "./create-file-replayer.ts";
import type { FileRun } from "./run-in-threads.ts";

/** Replays files one after the other in this thread: for a few small ones that is quicker than starting another. */
export async function runHere(files: readonly TranscriptFile[], { options, onResult, signal }: FileRun): Promise<void> {
  const replay = createFileReplayer(options);
  for (const file of files) {
    if (signal.aborted) return;
    onResult(file, await replay(file));
    await setImmediate();
  }
}
