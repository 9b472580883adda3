import { spawn } from "node:child_process";
import type { Sources } from "../../kinds/sources.ts";
import { SafetyError } from "../../trouble.ts";
import { redact } from "../../workspace/redact.ts";

export interface ProgramOptions {
  readonly env: Sources["env"];
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** What a program of PostgreSQL came to. */
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
      else resolve({ ok: false, detail: redact(firstError(errors) || `ended with ${signal ?? code}`) });
    });
    // A program that ends early closes the pipe; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

const TEN_MINUTES = 600_000;

/** Values are written the same way whatever a database or a person has set. */
function withSettings(env: Sources["env"]): NodeJS.ProcessEnv {
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
