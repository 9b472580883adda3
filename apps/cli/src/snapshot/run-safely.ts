import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { surroundingAgents } from "@agent-checkpoint/agents";
import type * as Safety from "@agent-checkpoint/snapshots";
import type { Progress, SafetyOptions, Trouble } from "@agent-checkpoint/snapshots";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Environment } from "../environment.ts";
import { visible } from "../terminal/visible.ts";
import { showProgress } from "./create-snapshot.ts";

/** Calls the library with the options of a command; throws its refusals and failures as `CliError`. */
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

/** The program's error for a refusal or failure. */
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

/** The options of the library: the place, the session, the program's own name, and a progress callback. */
export function safetyOptions(
  { root, store, session }: PlaceFlags,
  { cwd, home, userHome, env, now }: Environment,
  { command, progress }: { readonly command?: string; readonly progress: (progress: Progress) => void },
): SafetyOptions {
  return {
    cwd,
    home,
    userHome,
    ...(root === undefined ? {} : { root: resolve(cwd, root) }),
    ...(store === undefined ? {} : { store: resolve(cwd, store) }),
    session: session ?? sessionIn(env),
    program: programWords(env),
    now,
    progress,
    ...(command === undefined ? {} : { auditAs: command }),
  };
}

/** The words that start this program from any folder: its name alone if the PATH leads to this very program. */
function programWords(env: Environment["env"]): readonly string[] {
  const [, script = "checkpoint"] = process.argv;
  const own = realpathSync(script);
  const named = (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "checkpoint"));
  const found = named.find((path) => existsSync(path));
  return found !== undefined && realpathSync(found) === own ? ["checkpoint"] : [process.execPath, own];
}

/** The id that a word stands for, an id, the beginning of one, or `latest`, and the place to look for it in. */
export async function idOf<Flags extends PlaceFlags>(
  word: string,
  flags: Flags,
  context: CommandContext,
): Promise<{ readonly id: string; readonly flags: Flags }> {
  const safety = await import("@agent-checkpoint/snapshots");
  const options = safetyOptions(flags, context, { progress: () => undefined });
  const result = await safety.resolveId(word, options);
  if (result.status !== "resolved") throw toCliError(result);
  return { id: result.id, flags: { ...flags, ...result.place } };
}

/** The session of the agent that runs this program, if the environment reveals it. */
function sessionIn(env: Environment["env"]): string | null {
  const [first] = surroundingAgents(env);
  return first?.sessionId ?? null;
}

/** A snapshot command for the audit, without the options for place and output. */
export function commandLine(name: string, words: readonly string[], flags: object): string {
  const given = Object.entries(flags).filter(([flag]) => !OMITTED_FLAGS.has(flag));
  return ["checkpoint snapshot", name, ...words, ...given.flatMap(([flag, value]) => formatFlag(flag, value))].join(
    " ",
  );
}

const OMITTED_FLAGS: ReadonlySet<string> = new Set(["root", "store", "session", "json"]);

function formatFlag(flag: string, value: unknown): readonly string[] {
  const name = `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [name];
  if (typeof value === "string") return [name, value];
  return Array.isArray(value) ? [name, ...value.map(String)] : [];
}
