import type { ModelCall } from "../../fake-models/model-script.ts";
import { GREETER, type Scenario } from "../scenario.ts";

/** Versions before hooks, and how their files look. */
const EARLY = [
  { version: "0.45.0", looks: "every line in an envelope" },
  { version: "0.20.0", looks: "bare items after a first line about the session" },
];

function shell(...command: readonly string[]): ModelCall {
  return { tool: "shell", input: { command } };
}

/** The first forms of Codex's files. */
export const EARLY_VERSIONS: readonly Scenario[] = EARLY.map(({ version, looks }) => ({
  agent: "codex",
  name: `shell-calls-${version}`,
  shows: `Shell calls that fail and work, and a patch, in ${version}: ${looks}.`,
  version,
  model: "gpt-5",
  prompt: "Make the greeting loud",
  projectFiles: GREETER,
  args: ["--dangerously-bypass-approvals-and-sandbox"],
  replies: [
    { think: "The check first.", say: "I run the check first.", calls: [shell("bash", "-lc", "sh check.sh")] },
    {
      calls: [
        shell(
          "apply_patch",
          '*** Begin Patch\n*** Update File: src/greet.py\n@@\n-print("hello")\n+print("HELLO")\n*** End Patch\n',
        ),
      ],
    },
    { calls: [shell("bash", "-lc", "python3 src/greet.py")] },
    { say: "The greeting is loud now." },
  ],
}));
