import { setTimeout as sleep } from "node:timers/promises";
import { findPane, type Thread } from "./find-pane.ts";
import { type DangerReason, judgePane, type PaneFacts } from "./judge-pane.ts";
import { type ActionFault, pasteMessage, submitPaste } from "./paste-message.ts";
import { readPane } from "./read-pane.ts";
import type { Tmux } from "./tmux.ts";

/** A message for a thread, and how to know whether it is wanted and whether it has arrived. */
export interface TmuxDelivery {
  readonly tmux: Tmux;
  readonly thread: Thread;
  readonly message: string;
  /** No longer true once the next turn has begun; not asked while the message may be on its way. */
  readonly isStillWanted: () => boolean | Promise<boolean>;
  /** True once the rollout shows the message as a user's. */
  readonly wasReceived: () => boolean | Promise<boolean>;
  /** Whether the thread is the only one known in its folder; without it, no pane is chosen by its folder. */
  readonly isOnlyThreadInFolder?: () => boolean | Promise<boolean>;
  readonly pollMs?: number;
  readonly receiveTimeoutMs?: number;
  /** How long the pane must have been safe, with its cursor at one place, before anything is typed. */
  readonly settleMs?: number;
  /** Once aborted, nothing more is typed, and an unfinished delivery is left alone. */
  readonly signal?: AbortSignal;
  /** Told when there is a new reason for waiting. */
  readonly onWait?: (reason: WaitReason, detail?: string) => void;
}

/** Whether a message has arrived; if not, why. */
export type TmuxDelivered =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: UndeliveredReason; readonly detail?: string };

/** `undelivered`: typed, but it did not arrive. `aborted`: perhaps typed. Any other reason: not typed. */
export type UndeliveredReason =
  | "undelivered"
  | "superseded"
  | "aborted"
  | "none"
  | "ambiguous"
  | "missing"
  | "no-server"
  | MessageFault;

/** Why nothing is typed yet. */
export type WaitReason = DangerReason | MessageFault | ActionFault | "aborted" | "settling";

/** Finds a thread's pane, waits until it is safe, pastes the message and sees it arrive; pastes at most twice. */
export async function deliverByTmux(delivery: TmuxDelivery): Promise<TmuxDelivered> {
  const fault = refuseMessage(delivery.message);
  if (fault) return { ok: false, reason: fault };
  const hasSettled = createSettling(delivery.settleMs ?? SETTLE_MS);
  let pastes = 0;
  let waitingFor = "";
  for (;;) {
    if (pastes > 0 && (await delivery.wasReceived())) return { ok: true };
    if (delivery.signal?.aborted) return { ok: false, reason: "aborted" };
    if (pastes === MAX_PASTES) return { ok: false, reason: "undelivered" };
    if (!(await delivery.isStillWanted()))
      return { ok: false, reason: pastes > 0 ? "undelivered" : "superseded", detail: waitingFor };
    const step = await takeStep(delivery, hasSettled);
    if (step.kind === "impossible")
      return { ok: false, reason: pastes > 0 ? "undelivered" : step.reason, detail: step.detail };
    if (step.kind === "pasted") {
      pastes++;
      if (await seeArrive(delivery, step.pane)) return { ok: true };
    } else {
      if (step.reason !== "settling") hasSettled(null);
      if (step.reason !== waitingFor) delivery.onWait?.(step.reason, step.detail);
      waitingFor = step.reason;
      await pause(delivery.pollMs ?? POLL_MS, delivery.signal);
    }
  }
}

const MAX_PASTES = 2;
const POLL_MS = 500;
const RECEIVE_TIMEOUT_MS = 3000;
const RECEIVE_POLL_MS = 100;
/** A prompt that was just sent leaves an empty composer before Codex shows that it is working and before the rollout has it. */
const SETTLE_MS = 1500;

type Step =
  | { readonly kind: "impossible"; readonly reason: Exclude<UndeliveredReason, "aborted">; readonly detail: string }
  | { readonly kind: "wait"; readonly reason: WaitReason; readonly detail?: string }
  | { readonly kind: "pasted"; readonly pane: string };

/** Whether a safe pane has been safe and unchanged for long enough. */
type Settling = (facts: PaneFacts | null) => boolean;

function createSettling(settleMs: number): Settling {
  let since = { fingerprint: "", at: 0 };
  return (facts) => {
    const fingerprint = facts ? `${facts.id} ${facts.fingerprint}` : "";
    if (fingerprint !== since.fingerprint) since = { fingerprint, at: performance.now() };
    return performance.now() - since.at >= settleMs;
  };
}

/** Looks for the pane again, since it may show another thread by now, and pastes if it is safe and has been for a while. */
async function takeStep(delivery: TmuxDelivery, hasSettled: Settling): Promise<Step> {
  const { tmux, thread, message, signal, isOnlyThreadInFolder } = delivery;
  const found = await findPane(tmux, thread, (await isOnlyThreadInFolder?.()) ?? false);
  if (!found.found) {
    const { reason, detail } = found;
    if (reason === "timeout" || reason === "failed" || reason === "no-pane") return { kind: "wait", reason, detail };
    return { kind: "impossible", reason, detail };
  }
  const read = await readPane(tmux, found.pane);
  if (!read.ok) return { kind: "wait", reason: read.reason, detail: read.detail };
  const verdict = judgePane(read.facts);
  if (!verdict.safe) return { ...verdict, kind: "wait" };
  if (!hasSettled(read.facts)) return { kind: "wait", reason: "settling" };
  const outcome = await pasteMessage(tmux, { pane: found.pane, message, signal });
  return outcome.pasted ? { kind: "pasted", pane: found.pane } : { ...outcome, kind: "wait" };
}

/** Waits for the message to be received; if it is still in the composer, presses Enter once more. */
async function seeArrive(delivery: TmuxDelivery, pane: string): Promise<boolean> {
  if (await isReceivedInTime(delivery)) return true;
  if (delivery.signal?.aborted) return false;
  const again = await submitPaste(delivery.tmux, pane, delivery.message);
  return again.submitted && isReceivedInTime(delivery);
}

async function isReceivedInTime(delivery: TmuxDelivery): Promise<boolean> {
  const { wasReceived, signal, receiveTimeoutMs = RECEIVE_TIMEOUT_MS } = delivery;
  const deadline = Date.now() + receiveTimeoutMs;
  for (;;) {
    if (await wasReceived()) return true;
    if (signal?.aborted || Date.now() >= deadline) return false;
    await pause(RECEIVE_POLL_MS, signal);
  }
}

/** Ends early when aborted. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => {});
}

/** Why a text must not be pasted into a composer. */
export type MessageFault = "empty" | "control-character" | "command-prefix" | "open-mention";

/** Why a text must not be pasted; null if it may be. */
export function refuseMessage(message: string): MessageFault | null {
  return FAULTS.find(({ pattern }) => pattern.test(message))?.fault ?? null;
}

const FAULTS: readonly { readonly fault: MessageFault; readonly pattern: RegExp }[] = [
  // A paste is known again by its letters.
  { fault: "empty", pattern: /^[^\p{L}\p{N}]*$/u },
  // An escape would end the bracketed paste, and what follows it would count as keys.
  { fault: "control-character", pattern: /[^\P{Cc}\n\t]/u },
  // `!` runs a shell command, `/` a command of Codex, `@` opens a choice of files.
  { fault: "command-prefix", pattern: /^\s*[!/@]/ },
  // If the cursor follows such a word, a menu is open, and Enter would choose its first entry.
  { fault: "open-mention", pattern: /(?:^|\s)[@$]\S*$/ },
];
