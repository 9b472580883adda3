import { setTimeout as sleep } from "node:timers/promises";
import type { Sent } from "@agent-checkpoint/composer";
import { execa } from "execa";

/** What a delivery by queue needs. */
export interface QueueDelivery {
  /** The `codex` program. */
  readonly codex: string;
  readonly env: Readonly<Record<string, string>>;
  readonly threadId: string;
  readonly message: string;
  /** Whether the rollout shows our message as a user message. */
  readonly wasReceived: () => boolean;
  /** How long Codex may take from accepting the message to showing it: up to 10 s without its daemon. */
  readonly receiveTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

const ATTEMPTS = 2;
const CALL_TIMEOUT_MS = 15_000;
const RECEIVE_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/**
 * Hands a message to `codex queue`, which starts a user turn in the live session and leaves the user's draft alone.
 * Once Codex has accepted the message it is not sent again, even if it does not show: it may be held until the user's
 * next turn, and two would be one too many.
 */
export async function deliverByQueue(delivery: QueueDelivery): Promise<Sent> {
  const { signal, wasReceived, receiveTimeoutMs = RECEIVE_TIMEOUT_MS } = delivery;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (signal?.aborted === true) return { ok: false, reason: "aborted" };
    if (await isAccepted(delivery)) {
      await until(wasReceived, receiveTimeoutMs, signal);
      return { ok: true };
    }
  }
  return { ok: false, reason: "queue-refused" };
}

async function isAccepted({ codex, env, threadId, message, signal }: QueueDelivery): Promise<boolean> {
  const { exitCode } = await execa(codex, ["queue", "--thread", threadId, "--message", message], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: CALL_TIMEOUT_MS,
    ...(signal && { cancelSignal: signal }),
  });
  return exitCode === 0;
}

async function until(condition: () => boolean, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
  const end = performance.now() + timeoutMs;
  const isOver = () => condition() || performance.now() >= end || signal?.aborted === true;
  while (!isOver()) await sleep(POLL_MS);
}
