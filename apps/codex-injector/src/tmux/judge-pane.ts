import { isCodexProgram } from "./codex-processes.ts";
import {
  BANNER,
  BUSY_TITLES,
  HINTS,
  MAIN_THREAD,
  MODAL_ROWS,
  OTHER_THREAD_PLACEHOLDERS,
  PLACEHOLDERS,
  WORKING_ROW,
} from "./codex-screen.ts";
import { holdsPaste } from "./paste-message.ts";
import { type Composer, parseScreen, readComposer, type Row } from "./read-screen.ts";

/** Whether keys may go into a pane; if not, why. */
export type Verdict = { readonly safe: true } | Danger;

export interface Danger {
  readonly safe: false;
  readonly reason: DangerReason;
  readonly detail?: string;
}

export type DangerReason =
  | "dead"
  | "copy-mode"
  | "input-off"
  | "synchronized"
  | "not-codex"
  | "no-bracketed-paste"
  | "modal"
  | "working"
  | "cursor-hidden"
  | "no-composer"
  | "draft"
  | "not-ready"
  | "other-thread"
  | "new-conversation"
  | "unknown-screen"
  | "paste-not-seen";

/** Whether a message may be pasted: Codex waits, its composer is empty, and nothing else would take the keys. */
export function judgePane(facts: PaneFacts): Verdict {
  const rows = parseScreen(facts.screen);
  const composer = readComposer(rows, facts.cursor);
  return (
    judgeKeys(facts, rows) ??
    judgeEmptiness(composer, facts) ??
    judgeSurroundings(composer) ??
    judgeConversation(composer, rows) ??
    SAFE
  );
}

/** Whether Enter may be pressed: as before the paste, but with exactly the message in the composer. */
export function judgePastedPane(facts: PaneFacts, message: string): Verdict {
  const rows = parseScreen(facts.screen);
  const composer = readComposer(rows, facts.cursor);
  return judgeKeys(facts, rows) ?? judgePaste(composer, message) ?? judgeSurroundings(composer) ?? SAFE;
}

const SAFE: Verdict = { safe: true };

/** Where keys would go. */
function judgeKeys(facts: PaneFacts, rows: readonly Row[]): Danger | null {
  const found = KEY_DANGERS.find(({ isSeen }) => isSeen(facts, rows));
  return found ? { safe: false, reason: found.reason } : null;
}

type KeyDanger = {
  readonly reason: DangerReason;
  readonly isSeen: (facts: PaneFacts, rows: readonly Row[]) => boolean;
};

const KEY_DANGERS: readonly KeyDanger[] = [
  { reason: "dead", isSeen: ({ isDead }) => isDead },
  { reason: "copy-mode", isSeen: ({ isInMode }) => isInMode },
  { reason: "input-off", isSeen: ({ isInputOff }) => isInputOff },
  { reason: "synchronized", isSeen: ({ isSynchronized }) => isSynchronized },
  { reason: "not-codex", isSeen: (facts) => !isCodexProgram(facts) },
  { reason: "no-bracketed-paste", isSeen: ({ takesBracketedPaste }) => takesBracketedPaste === false },
  { reason: "modal", isSeen: ({ title }) => busyTitle(title) === "modal" },
  { reason: "modal", isSeen: ({ isCursorShown }, rows) => !isCursorShown && hasModalRow(rows) },
  { reason: "working", isSeen: ({ title }) => busyTitle(title) === "working" },
  { reason: "working", isSeen: (_, rows) => rows.some(({ text }) => WORKING_ROW.test(text)) },
  { reason: "cursor-hidden", isSeen: ({ isCursorShown }) => !isCursorShown },
];

function busyTitle(title: string): "working" | "modal" | undefined {
  return BUSY_TITLES.find(({ pattern }) => pattern.test(title))?.reason;
}

function hasModalRow(rows: readonly Row[]): boolean {
  const last = rows.filter(({ text }) => text.trim() !== "").slice(-2);
  return last.some(({ text }) => MODAL_ROWS.some((pattern) => pattern.test(text)));
}

/** Whether the cursor is in an empty composer. */
function judgeEmptiness(composer: Composer | null, { cursor }: PaneFacts): Danger | null {
  if (!composer) return { safe: false, reason: "no-composer" };
  const isEmpty = composer.isPlaceholder && cursor.x === 2 && cursor.y === composer.top;
  return isEmpty ? null : { safe: false, reason: "draft" };
}

/** Whether the composer holds the message and nothing else. */
function judgePaste(composer: Composer | null, message: string): Danger | null {
  if (!composer) return { safe: false, reason: "no-composer" };
  if (composer.isPlaceholder) return { safe: false, reason: "paste-not-seen" };
  return holdsPaste(composer.text, message) ? null : { safe: false, reason: "draft" };
}

/** Whether it is the composer of a session that is ready, with nothing unknown around it. */
function judgeSurroundings(composer: Composer | null): Danger | null {
  if (composer?.prompt === "!") return { safe: false, reason: "draft" };
  if (composer?.status == null) return { safe: false, reason: "not-ready" };
  for (const hint of composer.hints) {
    const means = HINTS.find(({ pattern }) => pattern.test(hint))?.means ?? "unknown-screen";
    if (means !== "nothing") return { safe: false, reason: means, detail: hint };
  }
  return null;
}

/** Whether the screen shows the session's own thread, and a turn of it. */
function judgeConversation(composer: Composer | null, rows: readonly Row[]): Danger | null {
  const { text = "", status = null, top = 0 } = composer ?? {};
  if (OTHER_THREAD_PLACEHOLDERS.some((pattern) => pattern.test(text)))
    return { safe: false, reason: "other-thread", detail: text };
  const placeholder = PLACEHOLDERS.find(({ words }) => words === text);
  if (!placeholder) return { safe: false, reason: "unknown-screen", detail: text };
  if (!placeholder.isThreadNamed && !isMainThread(status ?? ""))
    return { safe: false, reason: "other-thread", detail: status ?? "" };
  return hasTurn(rows.slice(0, top)) ? null : { safe: false, reason: "new-conversation" };
}

/** Before Codex named threads, a third part of the status line was the name of an agent. */
function isMainThread(status: string): boolean {
  const [, , agent = MAIN_THREAD, ...more] = status.split(" · ");
  return agent === MAIN_THREAD && more.length === 0 && !status.endsWith("…");
}

/**
 * Whether the conversation on the screen has had a turn. After `/new` the composer is empty too, and what is meant for
 * the thread before would open the next one.
 */
function hasTurn(history: readonly Row[]): boolean {
  const banner = history.findLastIndex(({ text }) => BANNER.test(text));
  if (banner < 0) return history.some(({ text }) => /\p{L}/u.test(text));
  return history.slice(banner).some(({ cells: [sign] }) => sign?.char === "›" && sign.isDim);
}

/** The facts about a pane that decide whether a message may be pasted. */
export interface PaneFacts {
  /** `%3`; tmux never gives the same one twice. */
  readonly id: string;
  readonly pid: number;
  readonly title: string;
  /** The foreground program according to tmux; for a script, its interpreter. */
  readonly command: string;
  readonly path: string;
  readonly isDead: boolean;
  /** Copy mode and the other modes of tmux, which take the keys. */
  readonly isInMode: boolean;
  readonly isInputOff: boolean;
  /** Keys typed here go to other panes too. */
  readonly isSynchronized: boolean;
  readonly isCursorShown: boolean;
  readonly cursor: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;
  /** Null if tmux does not report it (before 3.7). */
  readonly takesBracketedPaste: boolean | null;
  /** The names of the programs that have the terminal; null if unknown (no /proc). */
  readonly foreground: readonly string[] | null;
  /** The screen with its escapes, as `capture-pane -p -e` prints it. */
  readonly screen: string;
  /** The numbers of this moment in one string; tmux can compare it with those of the moment when it acts. */
  readonly fingerprint: string;
}
