import type { Route } from "@agent-checkpoint/store";
import { execa } from "execa";

/** What is known of a session when its route is chosen. */
export interface RouteFacts {
  /** The route that the user asked for. */
  readonly forced: Route | null;
  /** The version that the rollout names. */
  readonly codexVersion: string | null;
  /** Whether our Stop hook is registered and trusted. */
  readonly isHookTrusted: boolean;
  /** Whether the `codex` that we would call has the queue command. */
  readonly hasQueue: boolean;
  readonly hasTmux: boolean;
}

/** The route of a session and why; null if there is none. */
export interface ChosenRoute {
  readonly route: Route | null;
  readonly why: string;
}

/**
 * Chooses the way into a session.
 * A trusted hook speaks within the turn; a message that it does not send is delivered by the best route from outside.
 */
export function chooseRoute(facts: RouteFacts): ChosenRoute {
  const { forced, codexVersion } = facts;
  if (forced !== null) return { route: forced, why: "asked for" };
  if (facts.isHookTrusted && hasRoute(codexVersion, "hook")) return { route: "hook", why: "our Stop hook is trusted" };
  return routeFromOutside(facts);
}

/** The way for a message that no hook delivered. */
export function routeFromOutside({ codexVersion, hasQueue, hasTmux }: RouteFacts): ChosenRoute {
  if (hasQueue && hasRoute(codexVersion, "queue"))
    return { route: "queue", why: `Codex ${codexVersion} takes messages by queue` };
  const codex = `Codex ${codexVersion ?? "of unknown version"}`;
  if (!hasTmux) return { route: null, why: "no queue and no tmux" };
  if (hasRoute(codexVersion, "tmux")) return { route: "tmux", why: `${codex} has no queue` };
  return { route: null, why: `${codex} has no queue, and its screen is not known: update it to 0.125 or newer` };
}

/**
 * Whether a Codex screen is open.
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

/** What the `codex` program on this machine can do. */
export interface CodexProgram {
  readonly path: string;
  readonly hasQueue: boolean;
}

/** Asks a `codex` program whether it has the queue command; a missing program does not. */
export async function inspectCodex(path: string, env: Readonly<Record<string, string>>): Promise<CodexProgram> {
  const { exitCode, stdout } = await execa(path, ["queue", "--help"], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: 15_000,
  });
  return { path, hasQueue: exitCode === 0 && typeof stdout === "string" && stdout.includes("--thread") };
}

/** The Codex versions from which a route exists; the screens of those before 0.125 were not recorded. */
const SINCE = { hook: [0, 124], queue: [0, 149], tmux: [0, 125] } as const;

/** Whether a Codex of this version has a route; an unknown version has none. */
function hasRoute(version: string | null, route: keyof typeof SINCE): boolean {
  const parts = /^(\d+)\.(\d+)/.exec(version ?? "");
  if (!parts) return false;
  const [major, minor] = SINCE[route];
  const found = [Number(parts[1]), Number(parts[2])] as const;
  return found[0] > major || (found[0] === major && found[1] >= minor);
}
