import { actIfUnchanged, type ActionFault } from "./act-if-unchanged.ts";
import { judgePastedPane, type DangerReason } from "./judge-pane.ts";
import { readPane } from "./read-pane.ts";
import type { Tmux } from "./tmux.ts";

/** Whether Enter was pressed; if not, why. */
export type Submission =
  | { readonly submitted: true }
  | { readonly submitted: false; readonly reason: DangerReason | ActionFault | "aborted"; readonly detail?: string };

/** Presses Enter if the pane's composer holds the message, and only it, and nothing else would take the key. */
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
