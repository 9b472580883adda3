import { type ChildProcess, spawn } from "node:child_process";
import type { Command, Ran } from "./command.ts";

/** Starts a program and waits until it has ended and closed its output. */
export function runCommand(command: Command, watch?: (child: ChildProcess) => void): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { program, args, cwd, env, stdin = "" } = command;
    const child = spawn(program, args, { cwd, env, stdio: "pipe" });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    // A program may end without having read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    watch?.(child);
    child.on("close", (exitCode) => resolve({ stdout: textOf(stdout), stderr: textOf(stderr), exitCode }));
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
