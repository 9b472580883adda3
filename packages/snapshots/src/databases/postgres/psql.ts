import { SafetyError } from "../../trouble.ts";
import { type ProgramOptions, type ProgramResult, runProgram } from "./run-program.ts";

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

/** Runs statements with psql and gives what came of them. */
export function tryPsql(
  target: Target,
  { sql, values = {} }: Statements,
  options: Omit<ProgramOptions, "input">,
): Promise<ProgramResult> {
  const args = [...SETTINGS, ...Object.entries(values).map(([name, value]) => `--set=${name}=${value}`)];
  return runProgram("psql", [...args, `--dbname=${connectionOf(target)}`], { ...options, input: sql });
}

/** Runs statements and gives their rows, one a line; a failure is a trouble. */
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
