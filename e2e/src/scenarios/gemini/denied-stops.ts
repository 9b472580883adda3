import { CLI_VERSIONS } from "../../cli-versions.ts";
import type { Scenario } from "../scenario.ts";
import { EDIT, geminiSession, READ, shell } from "./session.ts";

const NAME = "denied-once-then-finished";
const DENY = { decision: "deny", reason: "Run the check again before you finish." };

const SNAPSHOT = { say: "<state_snapshot>It fails.</state_snapshot>" };

const DENIED_ONCE: Scenario = geminiSession({
  name: NAME,
  shows:
    "read_file, a failing shell command, replace, one that works; an AfterAgent hook denies; the retry runs one more command.",
  prompt: "Make the greeting loud",
  hookAnswers: { AfterAgent: [DENY] },
  replies: [
    { think: "**The file first**\nI want to see it.", say: "I look at the file first.", calls: [READ] },
    { calls: [shell("sh check.sh")] },
    { calls: [EDIT] },
    { calls: [shell("python3 src/greet.py")] },
    { say: "The greeting is loud now." },
    { calls: [shell("sh check.sh")] },
    { say: "The check passes." },
  ],
});

/** A stop that is denied, in every version, and around the other things that add user messages. */
export const DENIED_STOPS: readonly Scenario[] = [
  {
    ...DENIED_ONCE,
    keptPayloads: {
      "before-agent": { event: "BeforeAgent", nth: 1 },
      "before-agent-after-deny": { event: "BeforeAgent", nth: 2 },
      "after-agent-first": { event: "AfterAgent", nth: 1 },
      "after-agent-retry-with-tools": { event: "AfterAgent", nth: 2 },
    },
  },
  ...CLI_VERSIONS.gemini.older.map((version) => ({
    ...DENIED_ONCE,
    name: `${NAME}-${version}`,
    shows: `The same as ${NAME}, as ${version} writes it.`,
    version,
    keptPayloads: {
      [`before-agent-${version}`]: { event: "BeforeAgent", nth: 1 },
      [`after-agent-first-${version}`]: { event: "AfterAgent", nth: 1 },
      [`after-agent-retry-with-tools-${version}`]: { event: "AfterAgent", nth: 2 },
    },
  })),
  geminiSession({
    name: "denied-then-only-text",
    shows: "An AfterAgent hook denies and the retry only says something: stop_hook_active is true this time.",
    prompt: "Check the greeting",
    hookAnswers: { AfterAgent: [DENY] },
    replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }, { say: "It still fails." }],
    keptPayloads: { "after-agent-retry-without-tools": { event: "AfterAgent", nth: 2 } },
  }),
  geminiSession({
    name: "compressed-before-the-retry",
    shows: "A conversation that grew too large and was compressed before the retry after a deny.",
    prompt: "Check the greeting",
    hookAnswers: { AfterAgent: [DENY] },
    replies: [
      { calls: [shell("sh check.sh")] },
      { say: "It fails.", inputTokens: 1_000_000 },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    // The summary is asked for, and then once more to have it looked over.
    routes: [
      { words: "Generate a new <state_snapshot>", replies: [SNAPSHOT] },
      { words: "Critically evaluate the <state_snapshot>", replies: [SNAPSHOT] },
    ],
  }),
  geminiSession({
    name: "hook-context",
    shows: "A SessionStart hook adds context: the prompt's message begins with <hook_context>.",
    prompt: "Check the greeting",
    hookEvents: ["SessionStart", "BeforeAgent", "AfterAgent"],
    hookAnswers: {
      SessionStart: [{ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "Be brief." } }],
    },
    replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
    keptPayloads: {
      "session-start": { event: "SessionStart", nth: 1 },
      "before-agent-with-hook-context": { event: "BeforeAgent", nth: 1 },
    },
  }),
];
