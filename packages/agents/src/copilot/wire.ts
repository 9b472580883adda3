import { claudeShaped } from "../wire/payload.ts";
import { appliesPatch, type ChangingTools, changesFile, runsCommand } from "../wire/tools.ts";
import type { Payload, Wire } from "../wire/wire.ts";

/** Tools that change something, by the names that they have in events of this spelling. */
const CHANGING_TOOLS: ChangingTools = {
  Edit: changesFile("path"),
  Create: changesFile("path"),
  Write: changesFile("path"),
  edit: changesFile("path"),
  create: changesFile("path"),
  apply_patch: appliesPatch("input"),
  Bash: runsCommand("command"),
  bash: runsCommand("command"),
};

/**
 * Copilot CLI's `Stop`, `UserPromptSubmit`, `PreToolUse` and `PreCompact`, whose names in this spelling make them Claude
 * Code's.
 */
export const copilot: Wire = {
  ...claudeShaped({
    tools: CHANGING_TOOLS,
    projectVariable: "COPILOT_PROJECT_DIR",
    // Its transcript shows that it is whole by a line with the time of this event.
    stop: (_fields, payload) => ({ lastMessage: momentOf(payload), occasion: momentOf(payload) }),
    // A sub-agent is told its task in the same event.
    prompt: ({ agent_id }) => ({ isHuman: agent_id === null }),
  }),
  // Only these two keys are known to block; any other is ignored.
  block: (message) => ({ decision: "block", reason: message }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  pass: null,
  coAuthor: "Copilot <223556219+Copilot@users.noreply.github.com>",
};

function momentOf({ timestamp }: Payload): string | null {
  const moment = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(moment) ? null : String(moment);
}
