import type { PaneFacts } from "./pane-facts.ts";
import { FINGERPRINT_FORMAT } from "./read-pane.ts";
import type { Tmux, TmuxFault } from "./tmux.ts";

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
