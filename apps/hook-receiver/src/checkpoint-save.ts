#!/usr/bin/env node
import { readFileSync, writeSync } from "node:fs";
import { describeSave, executionOf, finishPush, recoverWork, saveAndRecord } from "@agent-checkpoint/autosave";
import { settleOutcomes } from "@agent-checkpoint/composer";
import { checkpointHome } from "@agent-checkpoint/files";
import { openStore } from "@agent-checkpoint/store";
import { failOpen } from "./fail-open.ts";
import { SETTLE_WORD, type WorkerAnswer, type WorkerJob } from "./run-save-worker.ts";

// The program beside the hook: it saves a session's work (a job on stdin, one line on stdout, then what can wait), or
// settles what became of earlier blocks.
// Whoever started it may be gone by then.
process.on("SIGPIPE", () => undefined);
process.on("SIGHUP", () => undefined);
run()
  .catch((error: unknown) => failOpen(process.env, error))
  .finally(() => process.exit(0));

async function run(): Promise<void> {
  const [word, now = ""] = process.argv.slice(-2);
  if (word === SETTLE_WORD) return settle(checkpointHome(process.env), new Date(now));
  const job = JSON.parse(readFileSync(0, "utf8")) as WorkerJob;
  if (job.kind === "recover") {
    await recoverWork(job.projectPath);
    return;
  }
  const { request } = job;
  const { home, percent, rules } = request;
  const opened = await openStore(home, { busyTimeoutMs: 5000 });
  const store = opened.ok ? opened.store : null;
  const saved = await saveAndRecord(request, store);
  const { outcome, commit } = saved.report;
  const { message, systemMessage } = describeSave(saved.report, percent);
  const execution = executionOf({ outcome, percent, threshold: rules.threshold, commit });
  print({ outcome, message, extras: { systemMessage, execution } });
  await finishPush(saved, home, store);
  await store?.close();
}

/** Records what became of earlier blocks, beside whatever the agent does meanwhile. */
async function settle(home: string, now: Date): Promise<void> {
  const opened = await openStore(home, { busyTimeoutMs: 5000 });
  if (!opened.ok) return;
  await settleOutcomes(opened.store, { home, now });
  await opened.store.close();
}

function print(answer: WorkerAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // Nobody listens any more; what was done is in the store.
  }
}
