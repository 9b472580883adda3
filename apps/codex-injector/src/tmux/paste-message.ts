import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PASTED_CONTENT } from "./codex-screen.ts";
import { type DangerReason, judgePane, judgePastedPane, type PaneFacts } from "./judge-pane.ts";
import { FINGERPRINT_FORMAT, readPane } from "./read-pane.ts";
import { type MessageFault, refuseMessage } from "./deliver-by-tmux.ts";
import type { Tmux, TmuxFault } from "./tmux.ts";

/** The result of a paste: nothing was typed, or it was pasted, with or without Enter. */
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

/** Why the buffer was not pasted; null if it was. */
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

/** Whether Enter was pressed; if not, why. */
export type Submission =
  | { readonly submitted: true }
  | { readonly submitted: false; readonly reason: DangerReason | ActionFault | "aborted"; readonly detail?: string };

/** Presses Enter if the pane's composer contains exactly the message and nothing else would take the key. */
export async function submitPaste(tmux: Tmux, pane: string, message: string): Promise<Submission> {
  const read = await readPane(tmux, pane);
  if (!read.ok) return { submitted: false, reason: read.reason, detail: read.detail };
  const verdict = judgePastedPane(read.facts, message);
  if (!verdict.safe) {
    const { safe, ...danger } = verdict;
    return { submitted: safe, ...danger };
  }
  const enter = await actIfUnchanged(tmux, read.facts, `send-keys -t ${pane} Enter`);
  return enter.done ? { submitted: true } : { submitted: false, reason: enter.reason };
}

/** Whether a tmux command was run. */
export type Action = { readonly done: true } | { readonly done: false; readonly reason: ActionFault };

/** Why a tmux command was not run; after a `timeout` it may have been. */
export type ActionFault = "changed" | TmuxFault;

/**
 * Runs a tmux command on a pane if the pane still is as it was judged.
 * The server compares and acts in one step, so that no key, mode or cursor can slip in between.
 */
export async function actIfUnchanged(tmux: Tmux, { id, fingerprint }: PaneFacts, command: string): Promise<Action> {
  const isUnchanged = `#{==:${FINGERPRINT_FORMAT},${fingerprint}}`;
  const asked = await tmux(["if-shell", "-F", "-t", id, isUnchanged, command, `display-message -p ${CHANGED}`]);
  if (!asked.ok) return { done: false, reason: asked.reason };
  return asked.stdout.startsWith(CHANGED) ? { done: false, reason: "changed" } : { done: true };
}

const CHANGED = "changed";

/**
 * Whether a composer shows a message and nothing else.
 * A long one is shown as its length, a tall one by its end; blanks and signs are left out of the comparison, since a
 * screen wraps lines and draws tabs and wide characters its own way.
 */
export function holdsPaste(composerText: string, message: string): boolean {
  const [, length] = PASTED_CONTENT.exec(composerText.trim()) ?? [];
  if (length !== undefined) return Number(length) === Array.from(message).length;
  const [shown, meant] = [lettersOf(composerText), lettersOf(message)];
  return shown !== "" && (shown === meant || (shown.length >= MIN_LETTERS && meant.endsWith(shown)));
}

/** Fewer could be the end of a message by chance. */
const MIN_LETTERS = 20;

function lettersOf(text: string): string {
  return text.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
}
