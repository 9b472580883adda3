import type { Scenario } from "../scenario.ts";
import { bash, claudeSession } from "./session.ts";

const SUMMARY = [{ words: "summary of the conversation", replies: [{ say: "<summary>The check fails.</summary>" }] }];

/** Conversations that were compacted. */
export const COMPACTIONS: readonly Scenario[] = [
  claudeSession({
    name: "compacted-by-hand",
    shows: "/compact between two prompts: boundary, summary and command lines, none of which opens a turn.",
    prompt: "Check the greeting",
    replies: [
      { calls: [bash("sh check.sh")] },
      { say: "It fails." },
      { calls: [bash("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    routes: SUMMARY,
    screenSteps: [
      { waitFor: "It fails." },
      { pauseMs: 1000 },
      { enter: "/compact" },
      { waitFor: "ompacted" },
      { pauseMs: 1000 },
      { enter: "What does it say?" },
      { waitFor: "It says hello." },
      { pauseMs: 1500 },
    ],
  }),
  claudeSession({
    name: "compacted-in-the-turn",
    shows: "A conversation that grew too large and was compacted between two Bash calls of one turn.",
    prompt: "Check the greeting",
    hookEvents: ["UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"],
    replies: [
      { calls: [bash("sh check.sh")], inputTokens: 995_000 },
      { calls: [bash("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    routes: SUMMARY,
    keptPayloads: {
      "pre-compact-auto": { event: "PreCompact", nth: 1 },
      "subagent-stop-of-compaction": { event: "SubagentStop", nth: 1 },
    },
  }),
];
