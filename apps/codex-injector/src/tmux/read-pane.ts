import { foregroundOf, readProcesses } from "./codex-processes.ts";
import type { PaneFacts } from "./judge-pane.ts";
import type { Tmux, TmuxFault } from "./tmux.ts";

/** A pane's facts, or why there are none. */
export type ReadPane =
  | { readonly ok: true; readonly facts: PaneFacts }
  | { readonly ok: false; readonly reason: TmuxFault; readonly detail: string };

/** Reads a pane's facts and its screen in one tmux call, and from the system what runs in it. */
export async function readPane(tmux: Tmux, pane: string): Promise<ReadPane> {
  const asked = await tmux(["display-message", "-p", "-t", pane, FORMAT, ";", "capture-pane", "-p", "-e", "-t", pane]);
  if (!asked.ok) return asked;
  const facts = parsePane(asked.stdout);
  if (facts?.id !== pane)
    return { ok: false, reason: "failed", detail: `Not a pane's facts: ${asked.stdout.slice(0, 200)}` };
  const processes = await readProcesses();
  const foreground = processes && foregroundOf(processes, facts.pid).map(({ name }) => name);
  return { ok: true, facts: { ...facts, foreground } };
}

/** Numbers alone: a value with a comma could not be compared by tmux. */
export const FINGERPRINT_FORMAT: string = [
  "pane_pid",
  "pane_dead",
  "pane_in_mode",
  "pane_input_off",
  "pane_synchronized",
  "cursor_flag",
  "cursor_x",
  "cursor_y",
  "pane_width",
  "pane_height",
]
  .map((name) => `#{${name}}`)
  .join(" ");

/** The texts come without control characters, so that tabs part the fields and the first line end ends them. */
const FORMAT = [
  FINGERPRINT_FORMAT,
  "#{pane_id}",
  "#{bracket_paste_flag}",
  ...["pane_current_command", "pane_title", "pane_current_path"].map((name) => `#{s/[\u0001-\u001F]/?/:${name}}`),
].join("\t");

function parsePane(stdout: string): Omit<PaneFacts, "foreground"> | null {
  const end = stdout.indexOf("\n");
  const [fingerprint = "", id = "", bracketedPaste, command = "", title = "", path] = stdout.slice(0, end).split("\t");
  const numbers = fingerprint.split(" ").map(Number);
  const [pid, dead, inMode, inputOff, synchronized, cursorFlag, x, y, width, height] = numbers;
  if (end < 0 || path === undefined || height === undefined || numbers.some(Number.isNaN)) return null;
  return {
    id,
    pid: pid ?? 0,
    title,
    command,
    path,
    isDead: dead !== 0,
    isInMode: inMode !== 0,
    isInputOff: inputOff !== 0,
    isSynchronized: synchronized !== 0,
    isCursorShown: cursorFlag === 1,
    cursor: { x: x ?? 0, y: y ?? 0 },
    width: width ?? 0,
    height,
    takesBracketedPaste: bracketedPaste === "" ? null : bracketedPaste === "1",
    screen: stdout.slice(end + 1),
    fingerprint,
  };
}
