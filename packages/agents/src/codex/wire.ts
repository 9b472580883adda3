import { claudeShaped } from "../wire/payload.ts";
import { appliesPatch, type ChangingTools, runsCommand } from "../wire/tools.ts";
import type { Wire } from "../wire/wire.ts";

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  apply_patch: appliesPatch("command"),
  Bash: runsCommand("command"),
};

/** Codex's `Stop`, `UserPromptSubmit` and `PreToolUse`. */
export const codex: Wire = {
  // Its rollout is written before its hooks run.
  ...claudeShaped({ tools: CHANGING_TOOLS, stop: () => ({ lastMessage: null }) }),
  // Other keys were not tested there, so a block uses only those that are known to work.
  block: (message) => ({ decision: "block", reason: message }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  pass: {},
  coAuthor: "Codex <noreply@openai.com>",
};
