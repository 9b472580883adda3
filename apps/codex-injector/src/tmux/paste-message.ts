import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { actIfUnchanged, type ActionFault } from "./act-if-unchanged.ts";
import { judgePane, type DangerReason } from "./judge-pane.ts";
import { readPane } from "./read-pane.ts";
import { refuseMessage, type MessageFault } from "./refuse-message.ts";
import { submitPaste, type Submission } from "./submit-paste.ts";
import type { Tmux } from "./tmux.ts";

/** What became of a message: nothing was typed, or it was pasted and Enter pressed on it or not. */
export type PasteOutcome = NotPasted | ({ readonly pasted: true } & Submission);

interface NotPasted {
  readonly pasted: false;
  readonly reason: DangerReason | MessageFault | ActionFault | "aborted";
  readonly detail?: string;
}

/** A message for a pane; after an abort nothing more is typed. */
export interface PasteRequest {
  readonly pane: string;
  readonly message: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pastes a message into a pane and presses Enter, each only if the pane is proven safe at that moment.
 * Once pasted, what cannot be sent is left in the composer for the user.
 */
export async function pasteMessage(tmux: Tmux, request: PasteRequest): Promise<PasteOutcome> {
  const fault = refuseMessage(request.message);
  if (fault) return { pasted: false, reason: fault };
  const buffer = `agent-checkpoint-${randomUUID()}`;
  const loaded = await tmux(["load-buffer", "-b", buffer, "-"], request.message);
  if (!loaded.ok) return { pasted: false, reason: loaded.reason, detail: loaded.detail };
  const refusal = await pasteBuffer(tmux, buffer, request);
  if (!refusal) return { pasted: true, ...(await submitWhenSeen(tmux, request)) };
  await tmux(["delete-buffer", "-b", buffer]);
  return refusal;
}

/** Says why the buffer was not pasted, or null where it was. */
async function pasteBuffer(tmux: Tmux, buffer: string, { pane, signal }: PasteRequest): Promise<NotPasted | null> {
  const read = await readPane(tmux, pane);
  if (!read.ok) return { pasted: false, reason: read.reason, detail: read.detail };
  const verdict = judgePane(read.facts);
  if (!verdict.safe) {
    const { safe, ...danger } = verdict;
    return { pasted: safe, ...danger };
  }
  if (signal?.aborted) return { pasted: false, reason: "aborted" };
  // -p brackets the paste, -r keeps line ends from becoming Enter, -d forgets the buffer.
  const paste = await actIfUnchanged(tmux, read.facts, `paste-buffer -p -r -d -b ${buffer} -t ${pane}`);
  return paste.done ? null : { pasted: false, reason: paste.reason };
}

/** Waits until the paste is on the screen, for Codex takes an Enter right behind it for a part of it. */
async function submitWhenSeen(tmux: Tmux, { pane, message, signal }: PasteRequest): Promise<Submission> {
  let last: Submission = { submitted: false, reason: "paste-not-seen" };
  for (let look = 0; look < LOOKS && !last.submitted; look++) {
    await sleep(LOOK_EVERY_MS);
    if (signal?.aborted) return { submitted: false, reason: "aborted" };
    last = await submitPaste(tmux, pane, message);
  }
  return last;
}

const LOOK_EVERY_MS = 150;
const LOOKS = 10;
