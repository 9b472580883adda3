import { claudeShaped } from "../wire/payload.ts";
import { type ChangingTools, changesFile, runsCommand } from "../wire/tools.ts";
import type { Wire } from "../wire/wire.ts";

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  edit: changesFile("file_path"),
  write_file: changesFile("file_path"),
  run_shell_command: runsCommand("command"),
};

/** Qwen Code's `Stop`, `UserPromptSubmit`, `PreToolUse` and `PreCompact`. */
export const qwen: Wire = {
  ...claudeShaped({
    tools: CHANGING_TOOLS,
    projectVariable: "QWEN_PROJECT_DIR",
    // Up to 0.23.0, which has no id of a prompt, the flag is always set.
    stop: ({ stop_hook_active, prompt_id }) => ({ isRepeated: stop_hook_active && prompt_id !== null }),
    // The event comes with every request to the model; newer versions mark a person's prompt.
    prompt: ({ prompt, prompt_id }, payload) => ({
      isHuman: prompt_id === null ? prompt !== null : "submitted_prompt" in payload,
    }),
  }),
  // With `continue: false` it would go on; keys beyond these two were not needed.
  block: (message) => ({ decision: "block", reason: message }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  pass: null,
  coAuthor: "Qwen-Coder <qwen-coder@alibabacloud.com>",
};
