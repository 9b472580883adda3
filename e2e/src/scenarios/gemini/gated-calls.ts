import type { Scenario } from "../scenario.ts";
import { EDIT, geminiSession, READ, shell } from "./session.ts";

const DENY = { decision: "deny", reason: "Make a checkpoint first." };

/** Calls that a hook sees before they run, and one that it denies. */
export const GATED_CALLS: readonly Scenario[] = [
  geminiSession({
    name: "edit-denied-once",
    shows: "A BeforeTool hook sees a read_file, denies a replace, and lets a shell command and the same replace pass.",
    prompt: "Make the greeting loud",
    hookEvents: ["BeforeTool"],
    hookAnswers: { BeforeTool: [{}, DENY] },
    replies: [
      { calls: [READ] },
      { calls: [EDIT] },
      { calls: [shell("python3 src/greet.py")] },
      { calls: [EDIT] },
      { say: "The greeting is loud now." },
    ],
    keptPayloads: {
      "before-tool-read-file": { event: "BeforeTool", nth: 1 },
      "before-tool-replace": { event: "BeforeTool", nth: 2 },
      "before-tool-shell": { event: "BeforeTool", nth: 3 },
    },
  }),
];
