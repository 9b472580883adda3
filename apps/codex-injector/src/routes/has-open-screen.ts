import { execa } from "execa";

/**
 * Whether somebody has a Codex screen open.
 * A message queued for a session without one would run unseen in Codex's background process and cost tokens.
 */
export async function hasOpenScreen(): Promise<boolean> {
  const { exitCode, stdout } = await execa("ps", ["-A", "-o", "tty=,args="], { reject: false, timeout: 5000 });
  return exitCode === 0 && stdout.split("\n").some(isScreen);
}

/** A `codex` on a terminal that is neither a subcommand without a screen nor the background process. */
export function isScreen(line: string): boolean {
  const [tty = "", program = "", ...args] = line.trim().split(/\s+/);
  if (tty === "" || tty.startsWith("?")) return false;
  const isCodex = [program, args[0] ?? ""].some((word) => /(?:^|\/)codex(?:\.js)?$/.test(word));
  return isCodex && !args.some((word) => HEADLESS.has(word));
}

const HEADLESS: ReadonlySet<string> = new Set([
  "exec",
  "app-server",
  "queue",
  "mcp",
  "mcp-server",
  "features",
  "login",
  "logout",
]);
