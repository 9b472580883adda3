import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { surroundingAgents } from "@agent-checkpoint/agents";
import type * as Safety from "@agent-checkpoint/snapshots";
import type { Progress, SafetyOptions, Trouble } from "@agent-checkpoint/snapshots";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Surroundings } from "../surroundings.ts";
import { visible } from "../terminal/visible.ts";
import { showProgress } from "./create-snapshot.ts";

/** Calls the library with the options of a command; a trouble becomes the error that the program ends with. */
export async function runSafely<T extends { readonly status: string }>(
  command: string,
  flags: PlaceFlags,
  context: CommandContext,
  call: (safety: typeof Safety, options: SafetyOptions) => Promise<T | Trouble>,
): Promise<T> {
  const { progress, clear } = showProgress(context);
  const safety = await import("@agent-checkpoint/snapshots");
  const result = await call(safety, safetyOptions(flags, context, { command, progress })).finally(clear);
  if (isTrouble(result)) throw toCliError(result);
  return result;
}

/** The error that says what was refused or failed. */
export function toCliError({ status, message, advice }: Trouble): CliError {
  return new CliError(visible(message), {
    exitCode: status === "refused" ? EXIT.usage : EXIT.failed,
    ...(advice === null ? {} : { advice: visible(advice) }),
  });
}

function isTrouble(result: { readonly status: string }): result is Trouble {
  return result.status === "refused" || result.status === "failed";
}

/** The options that every snapshot command has. */
export interface PlaceFlags {
  readonly root?: string;
  readonly store?: string;
  readonly session?: string;
}

/** What the library is called with: the place, the session, the program's own name, and somebody to tell how far it is. */
export function safetyOptions(
  { root, store, session }: PlaceFlags,
  { cwd, home, userHome, env, now }: Surroundings,
  { command, progress }: { readonly command: string; readonly progress: (progress: Progress) => void },
): SafetyOptions {
  return {
    cwd,
    home,
    userHome,
    ...(root === undefined ? {} : { root: resolve(cwd, root) }),
    ...(store === undefined ? {} : { store: resolve(cwd, store) }),
    session: session ?? sessionIn(env),
    program: programWords(),
    now,
    progress,
    auditAs: command,
  };
}

/** The words that start this very program again, from any folder. */
function programWords(): readonly string[] {
  const [, script = "checkpoint"] = process.argv;
  return [process.execPath, realpathSync(script)];
}

/** The session of the agent that runs this, where its environment tells. */
function sessionIn(env: Surroundings["env"]): string | null {
  const [first] = surroundingAgents(env);
  return first?.sessionId ?? null;
}

/** A snapshot command as it was given, for the audit; where it happens and how it prints is not part of it. */
export function commandLine(name: string, words: readonly string[], flags: object): string {
  const given = Object.entries(flags).filter(([flag]) => !UNSAID.has(flag));
  return ["checkpoint snapshot", name, ...words, ...given.flatMap(([flag, value]) => sayFlag(flag, value))].join(" ");
}

const UNSAID: ReadonlySet<string> = new Set(["root", "store", "session", "json"]);

function sayFlag(flag: string, value: unknown): readonly string[] {
  const name = `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [name];
  if (typeof value === "string") return [name, value];
  return Array.isArray(value) ? [name, ...value.map(String)] : [];
}
