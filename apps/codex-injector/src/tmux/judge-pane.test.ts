import { describe, expect, test } from "vitest";
import { judgePane, judgePastedPane } from "./judge-pane.ts";
import { CAPTURES, readCapture } from "./testing/read-capture.ts";

/** What the recorded screens are, by version; `safe`, or the reason to stay away. */
const VERDICTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0.125.0": {
    idle: "safe",
    "idle-after-sub-agent": "safe",
    "start-up-blank": "no-composer",
    "first-prompt-awaited": "new-conversation",
    "new-conversation": "new-conversation",
    working: "working",
    "working-with-draft": "working",
    approval: "modal",
    "approval-blinking": "modal",
    "model-choice": "modal",
    "review-instructions": "no-composer",
    "browsing-transcript": "modal",
    "editing-earlier-prompt": "modal",
    draft: "draft",
    "draft-slash": "draft",
    "draft-mention": "draft",
    "shell-mode": "draft",
    "pasted-short": "draft",
    "pasted-long": "draft",
    "pasted-long-again": "draft",
    shortcuts: "not-ready",
    "escape-pressed-once": "not-ready",
    "side-conversation": "other-thread",
    "sub-agent-view": "other-thread",
    quit: "dead",
  },
  "0.146.0": {
    idle: "safe",
    "idle-after-sub-agent": "safe",
    "first-prompt-awaited": "new-conversation",
    "new-conversation": "new-conversation",
    working: "working",
    "working-with-draft": "working",
    approval: "modal",
    "approval-blinking": "modal",
    "model-choice": "modal",
    "review-instructions": "no-composer",
    "browsing-transcript": "modal",
    "editing-earlier-prompt": "modal",
    draft: "draft",
    "draft-slash": "draft",
    "draft-mention": "draft",
    "shell-mode": "draft",
    "pasted-short": "draft",
    "pasted-long": "draft",
    shortcuts: "not-ready",
    "escape-pressed-once": "not-ready",
    "side-conversation": "other-thread",
    "sub-agent-view": "other-thread",
    quit: "dead",
  },
  "0.166.0": {
    idle: "safe",
    "idle-after-interrupt": "safe",
    "idle-after-sub-agent": "safe",
    "idle-background-terminal": "safe",
    "idle-narrow": "safe",
    "idle-plan-mode": "safe",
    "idle-vim-mode": "safe",
    "idle-with-daemon": "safe",
    "idle-with-id-in-title": "safe",
    "start-up-blank": "no-composer",
    "start-up-composer": "not-ready",
    "first-prompt-awaited": "new-conversation",
    "new-conversation": "new-conversation",
    working: "working",
    "working-in-stop-hook": "working",
    "working-narrow": "working",
    "working-with-draft": "working",
    "working-with-queued-prompt": "working",
    approval: "modal",
    "approval-blinking": "modal",
    question: "modal",
    "question-with-notes": "modal",
    "hooks-need-review": "modal",
    "worktree-choice": "modal",
    "model-choice": "modal",
    "permission-choice": "modal",
    "review-instructions": "no-composer",
    warnings: "modal",
    agents: "modal",
    "browsing-transcript": "modal",
    "history-search": "no-composer",
    shortcuts: "unknown-screen",
    "escape-pressed-once": "unknown-screen",
    draft: "draft",
    "draft-of-blank": "draft",
    "draft-of-line-end": "draft",
    "draft-of-line-end-cursor-up": "draft",
    "draft-slash": "draft",
    "draft-mention": "draft",
    "shell-mode": "draft",
    "pasted-short": "draft",
    "pasted-long": "draft",
    "pasted-tall": "draft",
    "side-conversation": "other-thread",
    "sub-agent-view": "other-thread",
    "copy-mode": "copy-mode",
    suspended: "not-codex",
    "quit-to-shell": "not-codex",
    quit: "dead",
  },
};

const screens = Object.entries(VERDICTS).flatMap(([version, verdicts]) =>
  Object.entries(verdicts).map(([shows, verdict]) => ({ capture: `${version}-${shows}`, verdict })),
);

function outcome(verdict: ReturnType<typeof judgePane>): string {
  return verdict.safe ? "safe" : verdict.reason;
}

describe("a real screen", () => {
  test.for(screens)("$capture: $verdict", ({ capture, verdict }) => {
    expect(outcome(judgePane(readCapture(capture)))).toBe(verdict);
  });

  test("every recorded screen has a verdict", () => {
    expect(screens.map(({ capture }) => capture).sort()).toEqual(CAPTURES);
  });
});

describe("an idle Codex", () => {
  const idle = readCapture("0.166.0-idle");
  const cases = [
    { but: "nothing", changed: {}, verdict: "safe" },
    { but: "its pane is dead", changed: { isDead: true }, verdict: "dead" },
    { but: "its pane is in copy mode", changed: { isInMode: true }, verdict: "copy-mode" },
    { but: "its pane takes no input", changed: { isInputOff: true }, verdict: "input-off" },
    { but: "its pane is synchronized", changed: { isSynchronized: true }, verdict: "synchronized" },
    { but: "it took bracketed paste back", changed: { takesBracketedPaste: false }, verdict: "no-bracketed-paste" },
    { but: "it takes bracketed paste for certain", changed: { takesBracketedPaste: true }, verdict: "safe" },
    { but: "the cursor is hidden", changed: { isCursorShown: false }, verdict: "cursor-hidden" },
    { but: "the cursor is elsewhere", changed: { cursor: { x: 0, y: 0 } }, verdict: "no-composer" },
    { but: "the cursor is one to the right", changed: { cursor: { x: 3, y: 46 } }, verdict: "draft" },
    { but: "its screen is all that is left", changed: { foreground: ["bash"] }, verdict: "not-codex" },
    { but: "a script started it", changed: { foreground: ["sh", "codex"], command: "sh" }, verdict: "safe" },
    {
      but: "npm's script started it",
      changed: { foreground: ["MainThread", "codex"], command: "node" },
      verdict: "safe",
    },
    { but: "the system tells no processes", changed: { foreground: null }, verdict: "safe" },
    { but: "only tmux knows of npm's script", changed: { foreground: null, command: "node" }, verdict: "safe" },
    { but: "only tmux knows of the shell", changed: { foreground: null, command: "zsh" }, verdict: "not-codex" },
    { but: "the title spins", changed: { title: "⠹ Work | project" }, verdict: "working" },
    { but: "the title asks", changed: { title: "[ ! ] Action Required | project" }, verdict: "modal" },
    {
      but: "there is a hint nobody has seen before",
      changed: { screen: idle.screen.replace("for shortcuts", "for a surprise") },
      verdict: "unknown-screen",
    },
    {
      but: "the composer asks for something else",
      changed: { screen: idle.screen.replace("Ask Codex to do anything", "Type the password") },
      verdict: "unknown-screen",
    },
    {
      but: "the grey words have been typed",
      changed: { screen: idle.screen.replace("\u001B[2mAsk Codex to do anything", "Ask Codex to do anything") },
      verdict: "draft",
    },
  ];
  test.for(cases)("but $but: $verdict", ({ changed, verdict }) => {
    expect(outcome(judgePane({ ...idle, ...changed }))).toBe(verdict);
  });
});

describe("Enter on a paste", () => {
  const numbers = (last: number): string => Array.from({ length: last }, (_, i) => `${i + 1}\n`).join("");
  const cases = [
    ...["0.125.0", "0.146.0", "0.166.0"].flatMap((version) => [
      { capture: `${version}-pasted-short`, message: "one\ntwo\nthree", verdict: "safe" },
      { capture: `${version}-pasted-long`, message: numbers(400), verdict: "safe" },
      { capture: `${version}-pasted-short`, message: "one\ntwo\nthree\nfour", verdict: "draft" },
      { capture: `${version}-pasted-long`, message: numbers(401), verdict: "draft" },
      { capture: `${version}-draft`, message: "one\ntwo\nthree", verdict: "draft" },
      { capture: `${version}-idle`, message: "one\ntwo\nthree", verdict: "paste-not-seen" },
      { capture: `${version}-approval`, message: "one\ntwo\nthree", verdict: "modal" },
      { capture: `${version}-working-with-draft`, message: "x", verdict: "working" },
      { capture: `${version}-shell-mode`, message: "one\ntwo\nthree", verdict: "draft" },
    ]),
    { capture: "0.125.0-pasted-long-again", message: "x".repeat(3685), verdict: "safe" },
    { capture: "0.166.0-pasted-tall", message: numbers(200), verdict: "safe" },
    { capture: "0.166.0-pasted-tall", message: numbers(199), verdict: "draft" },
    { capture: "0.166.0-browsing-transcript", message: "one", verdict: "modal" },
    { capture: "0.166.0-copy-mode", message: "one", verdict: "copy-mode" },
  ];
  test.for(cases)("$capture: $verdict", ({ capture, message, verdict }) => {
    expect(outcome(judgePastedPane(readCapture(capture), message))).toBe(verdict);
  });
});
