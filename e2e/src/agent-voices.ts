import type { ModelCall } from "./fake-models/model-script.ts";
import { INSIDE } from "./sandbox.ts";

/** The agents that `checkpoint-hook` serves. */
export type HookAgent = "claude" | "gemini";

/** The same work in each agent's own words, and the events at which a turn begins and ends. */
export interface AgentVoice {
  readonly read: (file: string) => ModelCall;
  readonly edit: (file: string, from: string, to: string) => ModelCall;
  readonly shell: (command: string) => ModelCall;
  readonly events: readonly string[];
  /** How a blocked stop's message reaches the model. */
  readonly feedback: (message: string) => string;
}

/** How each agent speaks. */
export const VOICES: Readonly<Record<HookAgent, AgentVoice>> = {
  claude: {
    read: (file) => ({ tool: "Read", input: { file_path: `${INSIDE.project}/${file}` } }),
    edit: (file, old_string, new_string) => ({
      tool: "Edit",
      input: { file_path: `${INSIDE.project}/${file}`, old_string, new_string },
    }),
    shell: (command) => ({ tool: "Bash", input: { command, description: "Run it" } }),
    events: ["UserPromptSubmit", "Stop"],
    feedback: (message) => `Stop hook feedback:\n${message}`,
  },
  gemini: {
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "replace",
      input: { file_path, old_string, new_string, instruction: "Change it" },
    }),
    shell: (command) => ({ tool: "run_shell_command", input: { command, description: "Run it" } }),
    events: ["BeforeAgent", "AfterAgent"],
    feedback: (message) => message,
  },
};
