import type { ModelCall } from "../../fake-models/model-script.ts";
import { GREETER, type Scenario } from "../scenario.ts";

/** A session with Codex on the greeter, with a recording hook on prompts and stops. */
export function codexSession(scenario: Omit<Scenario, "agent">): Scenario {
  return {
    agent: "codex",
    projectFiles: GREETER,
    hookEvents: ["UserPromptSubmit", "Stop", "SubagentStop"],
    args: ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
    ...scenario,
  };
}

/** The model's calls, in Codex's words. */
export function shell(cmd: string, more: Readonly<Record<string, unknown>> = {}): ModelCall {
  return { tool: "exec_command", input: { cmd, ...more } };
}

export function patch(...lines: readonly string[]): ModelCall {
  return { tool: "apply_patch", input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") };
}

/** Makes the greeting loud. */
export const EDIT: ModelCall = patch("*** Update File: src/greet.py", "@@", '-print("hello")', '+print("HELLO")');
