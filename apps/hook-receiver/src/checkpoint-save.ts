#!/usr/bin/env node
import { readFileSync, writeSync } from "node:fs";
import { describeSave, executionOf, finishPush, recoverWork, saveAndRecord } from "@agent-checkpoint/autosave";
import { moveRules, settleOutcomes, verifyContents } from "@agent-checkpoint/composer";
import { checkpointHome } from "@agent-checkpoint/files";
import { createCheckpoint } from "@agent-checkpoint/snapshots";
import { appendLog, openStore } from "@agent-checkpoint/store";
import { failOpen } from "./fail-open.ts";
import { SETTLE_WORD, SNAPSHOT_WORD, type StopSnapshot, type WorkerAnswer, type WorkerJob } from "./run-save-worker.ts";

// The program beside the hook: it saves a session's work (a job on stdin, one line on stdout, then what can wait),
// settles what became of earlier blocks, or takes a snapshot beside a stop.
// Whoever started it may be gone by then.
process.on("SIGPIPE", () => undefined);
process.on("SIGHUP", () => undefined);
run()
  .catch((error: unknown) => failOpen(process.env, error))
  .finally(() => process.exit(0));

async function run(): Promise<void> {
  const [word, value = ""] = process.argv.slice(-2);
  if (word === SETTLE_WORD) return settle(checkpointHome(process.env), new Date(value));
  if (word === SNAPSHOT_WORD) return snapshot(checkpointHome(process.env), JSON.parse(value) as StopSnapshot);
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

/**
 * Records which contents were verified and what became of earlier blocks, and moves the rules that it shows to be noise,
 * beside whatever the agent does meanwhile.
 */
async function settle(home: string, now: Date): Promise<void> {
  const opened = await openStore(home, { busyTimeoutMs: 5000 });
  if (!opened.ok) return;
  // Contents first: the next turn is about to change them.
  try {
    await verifyContents(opened.store, { home, now });
  } finally {
    await settleOutcomes(opened.store, { home, now });
    await moveRules(opened.store, { home, now });
    await opened.store.close();
  }
}

/**
 * Takes a snapshot of the whole work tree as a stop left it. It belongs to no session: one that does says that the session
 * is about to change these files.
 */
async function snapshot(home: string, { root, userHome, reason, keepDays, at }: StopSnapshot): Promise<void> {
  const result = await createCheckpoint(
    { scope: [root], reason, expiry: `${keepDays}d` },
    { cwd: root, root, home, userHome, now: () => new Date(at), auditAs: `checkpoint-hook ${SNAPSHOT_WORD}` },
  );
  if (result.status !== "created") appendLog(home, { level: "warn", event: "snapshot", detail: result.message });
}

function print(answer: WorkerAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // Nobody listens any more; what was done is in the store.
  }
}
