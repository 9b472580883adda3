import type { ModelCall } from "../../fake-models/model-script.ts";
import { GREETER, type Scenario } from "../scenario.ts";

/** A session with Gemini CLI on the greeter, with a recording hook before and after the agent. */
export function geminiSession(scenario: Omit<Scenario, "agent">): Scenario {
  return { agent: "gemini", projectFiles: GREETER, hookEvents: ["BeforeAgent", "AfterAgent"], ...scenario };
}

/** The model's calls, in Gemini CLI's words. */
export const READ: ModelCall = { tool: "read_file", input: { file_path: "src/greet.py" } };
export const EDIT: ModelCall = {
  tool: "replace",
  input: { file_path: "src/greet.py", old_string: "hello", new_string: "HELLO", instruction: "Make it loud" },
};

export function shell(command: string, more: Readonly<Record<string, unknown>> = {}): ModelCall {
  return { tool: "run_shell_command", input: { command, description: "Run it", ...more } };
}
