import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { payloadUsage, writeBridge } from "@agent-checkpoint/autosave/threshold";
import type { CommandContext } from "../command-context.ts";
import { toJson } from "../terminal/visible.ts";

interface BridgeOptions {
  readonly line?: string;
  readonly json?: true;
}

const LINE_TIMEOUT_MS = 5000;

/** Stores the usage from a status line's payload for the hooks, and prints the user's line, whatever fails. */
export function bridgeStatusline(options: BridgeOptions, context: CommandContext, stdin: string = readInput()): void {
  const { home, out, err, env, cwd, now, exit } = context;
  const payload = parse(stdin);
  const usage = payloadUsage(payload);
  const sessionId = typeof payload["session_id"] === "string" ? payload["session_id"] : null;
  const at = now();
  try {
    if (usage !== null && sessionId !== null) writeBridge(home, sessionId, { ...usage, at });
  } catch (error) {
    err(`checkpoint statusline: ${error instanceof Error ? error.message : String(error)}\n`);
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
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
