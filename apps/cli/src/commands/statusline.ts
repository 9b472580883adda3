import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { payloadUsage, writeBridge } from "@agent-checkpoint/autosave/threshold";
import { errorMessage } from "@agent-checkpoint/files";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { toJson } from "../terminal/visible.ts";

interface StatuslineOptions {
  readonly line?: string;
  readonly json?: true;
}

/** `checkpoint statusline`: stores the context's usage for the hook, and passes the status line through. */
export function statusline(command: Command, context: CommandContext): void {
  command
    .description(
      "Reads Claude Code's status line input from stdin and stores the context's usage for the hook, by session. Then runs your own status line with the same input, or prints a default one.",
    )
    .option("--line <command>", "the status line to pass through, as a shell command")
    .option("--json", "print one JSON value: what was stored for the hook")
    .addHelpText("after", HELP)
    .action((options: StatuslineOptions) => bridgeStatusline(options, context, readInput()));
}

const HELP = `
In Claude Code's settings.json:
  "statusLine": { "type": "command", "command": "checkpoint statusline" }
  "statusLine": { "type": "command", "command": "checkpoint statusline --line ~/.claude/my-line.sh" }

Examples:
  $ echo '{"session_id":"s","context_window":{"used_percentage":43}}' | checkpoint statusline
`;

const LINE_TIMEOUT_MS = 5000;

/** Stores the usage from a status line's payload for the hooks, and prints the user's line, whatever fails. */
export function bridgeStatusline(options: StatuslineOptions, context: CommandContext, stdin: string): void {
  const { home, out, err, env, cwd, now, exit } = context;
  const payload = parse(stdin);
  const usage = payloadUsage(payload);
  const sessionId = typeof payload["session_id"] === "string" ? payload["session_id"] : null;
  try {
    if (usage !== null && sessionId !== null) writeBridge(home, sessionId, { ...usage, at: now() });
  } catch (error) {
    err(`checkpoint statusline: ${errorMessage(error)}\n`);
  }
  if (options.json === true) return out(toJson({ sessionId, usage }));
  if (options.line === undefined) return out(usage === null ? "" : `context ${Math.round(usage.percent)} %\n`);
  const { stdout, stderr, status } = spawnSync("sh", ["-c", options.line], {
    input: stdin,
    env: { ...env },
    cwd,
    timeout: LINE_TIMEOUT_MS,
    encoding: "utf8",
  });
  out(stdout);
  err(stderr);
  if (status !== 0) exit(status ?? 1);
}

function readInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch {
    return "";
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
