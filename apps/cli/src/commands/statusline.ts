import { Command } from "commander";
import type { MakeCommand } from "./command-context.ts";

/** `checkpoint statusline`: leaves the context's usage for the hook, and passes the status line through. */
export const statusline: MakeCommand = (context) =>
  new Command("statusline")
    .summary("Tell the hook how full the context is, from Claude Code's status line")
    .description(
      "Reads what Claude Code gives its status line on stdin and leaves the context's usage for the hook, by session. Then runs the status line that you have, with the same input, or prints one of its own.",
    )
    .option("--line <command>", "the status line to pass through, as a shell command")
    .option("--json", "print one JSON value: what was left for the hook")
    .addHelpText("after", HELP)
    .action(async (options: { readonly line?: string; readonly json?: true }) => {
      const { bridgeStatusline } = await import("../statusline/bridge-statusline.ts");
      return bridgeStatusline(options, context);
    });

const HELP = `
In Claude Code's settings.json:
  "statusLine": { "type": "command", "command": "checkpoint statusline" }
  "statusLine": { "type": "command", "command": "checkpoint statusline --line ~/.claude/my-line.sh" }

Examples:
  $ echo '{"session_id":"s","context_window":{"used_percentage":43}}' | checkpoint statusline
`;
