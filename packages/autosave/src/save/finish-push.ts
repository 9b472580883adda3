import { appendLog, type Store } from "@agent-checkpoint/store";
import { redact } from "@agent-checkpoint/snapshots";
import { pushWithRetries } from "../push/push-with-retries.ts";
import type { RecordedSave } from "./save-and-record.ts";

const PUSH_TIMEOUT_MS = 45_000;

/** Pushes what could not be pushed at once, and records what came of it. */
export async function finishPush({ report, record }: RecordedSave, home: string, store: Store | null): Promise<void> {
  const { pushLater } = report;
  if (pushLater === null) return;
  const outcome = await pushWithRetries({ ...pushLater, timeoutMs: PUSH_TIMEOUT_MS });
  const isPushed = outcome.status === "pushed";
  const detail = isPushed ? outcome.remote : `${outcome.why}: ${redact(outcome.detail)}`;
  appendLog(home, {
    level: isPushed ? "info" : "warn",
    event: "save",
    step: "push-later",
    commit: pushLater.commit,
    detail,
  });
  if (record !== null)
    await store?.updateSave(
      record,
      isPushed ? "committed_pushed" : "committed_push_deferred",
      isPushed ? null : detail,
    );
}
