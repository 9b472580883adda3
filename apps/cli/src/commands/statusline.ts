import { Command } from "commander";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint statusline`: stores the context's usage for the hook, and passes the status line through. */
export const statusline: MakeCommand = (context) =>
  new Command("statusline")
    .summary("Report Claude Code's context usage to the hook, as its status line")
    .description(
      "Reads Claude Code's status line input from stdin and stores the context's usage for the hook, by session. Then runs your own status line with the same input, or prints a default one.",
    )
    .option("--line <command>", "the status line to pass through, as a shell command")
    .option("--json", "print one JSON value: what was stored for the hook")
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
