/**
 * What the Codex screen looks like, measured on 0.125.0, 0.146.0 and 0.166.0 (see `captures/`).
 * Nothing is typed into a screen that shows anything unknown to these tables.
 */

/** A title that Codex sets while it works or waits for an answer. */
export const BUSY_TITLES: readonly { readonly pattern: RegExp; readonly reason: "working" | "modal" }[] = [
  { pattern: /^\[ [!.] \] Action Required/, reason: "modal" },
  { pattern: /^[\u2800-\u28FF] /u, reason: "working" },
];

/** `• Working (12s • esc to interrupt)`; a narrow pane cuts its end off. */
export const WORKING_ROW: RegExp = /^[•◦] .*\((?:\d+[hms] ?)+ • esc\b/u;

/** The lines below a choice or a question, among the last of the screen. */
export const MODAL_ROWS: readonly RegExp[] = [
  /\benter\b.* (?:confirm|select|submit|open|edit)\b/,
  /\besc to (?:cancel|go back|clear)\b/,
  /\besc (?:back|dismiss|close)\b/,
  /\bq to quit\b/,
  /\bBrowsing transcript\b/,
];

/** The grey words of an empty composer, and whether the status line of such a Codex may name the thread. */
export const PLACEHOLDERS: readonly { readonly words: string; readonly isThreadNamed: boolean }[] = [
  { words: "Ask Codex to do anything", isThreadNamed: true },
  { words: "Explain this codebase", isThreadNamed: false },
  { words: "Summarize recent commits", isThreadNamed: false },
  { words: "Implement {feature}", isThreadNamed: false },
  { words: "Find and fix a bug in @filename", isThreadNamed: false },
  { words: "Write tests for @filename", isThreadNamed: false },
  { words: "Improve documentation in @filename", isThreadNamed: false },
  { words: "Run /review on my current changes", isThreadNamed: false },
  { words: "Use /skills to list available skills", isThreadNamed: false },
];

/** The grey words of a composer that belongs to another thread than the session's. */
export const OTHER_THREAD_PLACEHOLDERS: readonly RegExp[] = [/^Viewing sub-agent\b/, /^Ask a follow-up question$/];

/** `  <model> · <folder> · <more>`, the line below the composer of a session that is ready. */
export const STATUS_ROW: RegExp = /^ {2}\S[^·]* · [~/]/u;

/** What the status line adds for the session's own thread if there are sub-agents. */
export const MAIN_THREAD = "Main [default]";

/** Other lines that may appear beside and below the status line. */
export const HINTS: readonly { readonly pattern: RegExp; readonly means: "nothing" | "draft" | "other-thread" }[] = [
  { pattern: /^(?:← for agents · )?\? for shortcuts$/u, means: "nothing" },
  { pattern: /^⚠ \d+(?: warnings?)?(?: · f2(?: to view)?)?$/u, means: "nothing" },
  { pattern: /^\d+% context left$/, means: "nothing" },
  { pattern: /^Plan mode(?: \(shift\+tab to cycle\))?$/, means: "nothing" },
  { pattern: /^Vim: (?:Normal|Insert)$/, means: "nothing" },
  { pattern: /^(?:Shell|Bash) mode$/, means: "draft" },
  { pattern: /^Side from main thread\b/, means: "other-thread" },
];

/** The banner that opens a conversation. */
export const BANNER: RegExp = />_ OpenAI Codex \(v/;

/** The placeholder in the composer for a long paste; the second of one length has a number. */
export const PASTED_CONTENT: RegExp = /^\[Pasted Content (\d+) chars\](?: #\d+)?$/;
