import { spawn } from "node:child_process";
import { redactLine } from "@agent-checkpoint/redaction";
import type { Context } from "../place.ts";
import { SafetyError } from "../trouble.ts";

/** Where statements run: a service of the person's `pg_service.conf`, and a database of it other than its own. */
export interface Target {
  readonly service: string;
  readonly database?: string;
}

/** A target as one connection string; it names no password and no host. */
export function connectionOf({ service, database }: Target): string {
  return database === undefined ? `service=${service}` : `service=${service} dbname='${escape(database)}'`;
}

function escape(text: string): string {
  return text.replaceAll(/['\\]/g, String.raw`\$&`);
}

export interface Statements {
  readonly sql: string;
  /** Values that the statements take in by name, quoted by psql: `:'name'` and `:"name"`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Runs statements with psql and returns the result. */
export function tryPsql(
  target: Target,
  { sql, values = {} }: Statements,
  options: Omit<ProgramOptions, "input">,
): Promise<ProgramResult> {
  const args = [...SETTINGS, ...Object.entries(values).map(([name, value]) => `--set=${name}=${value}`)];
  return runProgram("psql", [...args, `--dbname=${connectionOf(target)}`], { ...options, input: sql });
}

/** Runs statements and returns their rows, one a line; a failure is a trouble. */
export async function psql(
  target: Target,
  statements: Statements,
  options: Omit<ProgramOptions, "input">,
): Promise<readonly string[]> {
  const result = await tryPsql(target, statements, options);
  if (result.ok) return result.stdout.split("\n").filter((line) => line !== "");
  throw new SafetyError("database", `\`postgres:${target.service}\`: ${result.detail}.`);
}

const SETTINGS = [
  "--no-psqlrc",
  "--no-password",
  "--quiet",
  "--tuples-only",
  "--no-align",
  "--set=ON_ERROR_STOP=1",
] as const;

export interface ProgramOptions {
  readonly env: Context["env"];
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** The result of a PostgreSQL program. */
export type ProgramResult =
  | { readonly ok: true; readonly stdout: string }
  | { readonly ok: false; readonly detail: string };

/**
 * Runs a program of PostgreSQL. Passwords reach it only by the person's own means (a password file, a service file, the
 * environment); none is asked for, and none is in its arguments.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, input = "", timeoutMs = TEN_MINUTES }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { env: withSettings(env), stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    let errors = "";
    const timer = setTimeout(() => child.kill("SIGTERM"), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 4000) errors += chunk.toString("utf8");
    });
    child.on("error", () => {
      clearTimeout(timer);
      reject(
        new SafetyError("database", `\`${program}\` cannot be started.`, "Install PostgreSQL's client programs first."),
      );
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve({ ok: true, stdout: Buffer.concat(out).toString("utf8") });
      else resolve({ ok: false, detail: redactLine(firstError(errors) || `ended with ${signal ?? code}`) });
    });
    // A program that ends early closes the pipe; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

const TEN_MINUTES = 600_000;

/** Values are written the same way whatever a database or a person has set. */
function withSettings(env: Context["env"]): NodeJS.ProcessEnv {
  const options = [env["PGOPTIONS"], "-c bytea_output=hex", "-c client_min_messages=error"].filter(Boolean).join(" ");
  return {
    ...env,
    PGOPTIONS: options,
    PGTZ: "UTC",
    PGAPPNAME: "agent-checkpoint",
    PGCONNECT_TIMEOUT: env["PGCONNECT_TIMEOUT"] ?? "10",
    LC_ALL: "C",
  };
}

function firstError(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /\b(error|fatal)\b/i.test(line)) ?? lines[0] ?? "";
}

/** How a server is reached, and how long one waits for others there. */
export interface Server {
  readonly env: Context["env"];
  readonly waitMs: number;
}

/** The database that a service names, and one beside it, where statements about databases run. */
export async function ownDatabase(
  service: string,
  { env }: Server,
): Promise<{ readonly name: string; readonly beside: Target }> {
  const [name = ""] = await psql({ service }, { sql: "SELECT current_database();" }, { env });
  // Every server has these two, and one of them is another one.
  return { name, beside: { service, database: name === "postgres" ? "template1" : "postgres" } };
}
