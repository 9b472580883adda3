import { readFileSync, writeSync } from "node:fs";
import { describeSave, executionOf, finishPush, recoverWork, saveAndRecord } from "@agent-checkpoint/autosave";
import { openStore } from "@agent-checkpoint/store";
import { failOpen } from "./fail-open.ts";
import { nativeBinding } from "./native-binding.ts";
import type { WorkerAnswer, WorkerJob } from "./run-save-worker.ts";

// The program that saves a session's work: a job on stdin, one line on stdout, then what can wait.
// Whoever started it may be gone by then.
process.on("SIGPIPE", () => undefined);
process.on("SIGHUP", () => undefined);
run()
  .catch((error: unknown) => failOpen(process.env, error))
  .finally(() => process.exit(0));

async function run(): Promise<void> {
  const job = JSON.parse(readFileSync(0, "utf8")) as WorkerJob;
  if (job.kind === "recover") {
    await recoverWork(job.projectPath);
    return;
  }
  const { request } = job;
  const { home, percent, rules } = request;
  const opened = await openStore(home, { nativeBinding: nativeBinding(), busyTimeoutMs: 5000 });
  const store = opened.ok ? opened.store : null;
  const saved = await saveAndRecord(request, store);
  const { outcome, commit } = saved.report;
  const { message, systemMessage } = describeSave(saved.report, percent);
  const execution = executionOf({ outcome, percent, threshold: rules.threshold, commit });
  print({ outcome, message, extras: { systemMessage, execution } });
  await finishPush(saved, home, store);
  await store?.close();
}

function print(answer: WorkerAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // Nobody listens any more; what was done is in the store.
  }
}
