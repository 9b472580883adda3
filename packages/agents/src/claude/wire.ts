import { claudeShaped } from "../wire/payload.ts";
import { type ChangingTools, changesFile, runsCommand } from "../wire/tools.ts";
import type { AnswerExtras, Wire } from "../wire/wire.ts";

/** Texts that Claude Code submits as prompts itself. */
const NOTIFICATION = /^\s*<(?:task|bash)-notification>/;

/** Tools that change something; those of servers that a person has added are not known. */
const CHANGING_TOOLS: ChangingTools = {
  Edit: changesFile("file_path"),
  MultiEdit: changesFile("file_path"),
  Write: changesFile("file_path"),
  NotebookEdit: changesFile("notebook_path"),
  Bash: runsCommand("command"),
  PowerShell: runsCommand("command"),
};

/** Claude Code's `Stop`, `UserPromptSubmit`, `PreToolUse` and `PreCompact`. */
export const claude: Wire = {
  ...claudeShaped({
    tools: CHANGING_TOOLS,
    projectVariable: "CLAUDE_PROJECT_DIR",
    prompt: ({ prompt }) => ({ isHuman: !NOTIFICATION.test(prompt ?? "") }),
  }),
  block: (message, extras) => ({ decision: "block", reason: message, ...(extras !== undefined && told(extras)) }),
  tell: told,
  pass: null,
  maxTurns: (argv) => {
    const at = argv.findIndex((word) => /^--max-turns(?:=|$)/.test(word));
    const limit = Number(argv[at]?.split("=")[1] ?? argv[at + 1]);
    return at !== -1 && limit > 0 ? limit : null;
  },
  maxWindow: ({ CLAUDE_CODE_DISABLE_1M_CONTEXT: isSmall, CLAUDE_CODE_AUTO_COMPACT_WINDOW: compacted }) => {
    const limits = [isSmall ? 200_000 : 0, Number(compacted)].filter((limit) => limit > 0);
    return limits.length === 0 ? null : Math.min(...limits);
  },
  saveLog: (userHome) => `${userHome}/.claude/auto-continue.log`,
  coAuthor: "Claude <noreply@anthropic.com>",
};

/** Keys that Claude Code does not know are harmless there. */
function told({ systemMessage, execution }: AnswerExtras): object {
  return { systemMessage, ...(execution !== undefined && { autonomous_execution: execution }) };
}
