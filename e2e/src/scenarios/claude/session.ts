import type { ModelCall } from "../../fake-models/model-script.ts";
import { GREETER, type Scenario } from "../scenario.ts";

/** A session with Claude Code on the greeter, with a recording hook on prompts and stops. */
export function claudeSession(scenario: Omit<Scenario, "agent">): Scenario {
  return {
    agent: "claude",
    projectFiles: GREETER,
    hookEvents: ["UserPromptSubmit", "Stop", "SubagentStop"],
    ...scenario,
  };
}

const GREET = "/home/dev/project/src/greet.py";

/** The model's calls, in Claude Code's words. */
export const READ: ModelCall = { tool: "Read", input: { file_path: GREET } };
export const EDIT: ModelCall = { tool: "Edit", input: { file_path: GREET, old_string: "hello", new_string: "HELLO" } };

export function bash(command: string, more: Readonly<Record<string, unknown>> = {}): ModelCall {
  return { tool: "Bash", input: { command, description: "Run it", ...more } };
}

/** Something that takes a while; Claude Code refuses a long `sleep`. */
export function slow(seconds: number): string {
  return `python3 -c 'import time; time.sleep(${seconds})'`;
}
