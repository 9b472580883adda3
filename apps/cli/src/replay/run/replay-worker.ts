import { parentPort, workerData } from "node:worker_threads";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { createFileReplayer, type ReplayOptions } from "../judge/replay-file.ts";

// A thread of the pool: takes one file at a time and answers with its result.
const replay = createFileReplayer(workerData as ReplayOptions);
parentPort?.on("message", (file: TranscriptFile) => {
  void replay(file).then((result) => parentPort?.postMessage(result, []));
});
parentPort?.postMessage("ready", []);
