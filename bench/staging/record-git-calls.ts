import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Command } from "../measuring/command.ts";
import { expectAnswer } from "../measuring/expect-answer.ts";
import { runCommand } from "../measuring/run-command.ts";

/** The git commands that a blocking stop starts, learnt from one run with a git in its path that takes notes. */
export async function recordGitCalls(folder: string, command: Command): Promise<readonly Command[]> {
  const notes = join(folder, "calls.jsonl");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "git"), noteTaker(notes, realGit()));
  chmodSync(join(folder, "git"), 0o755);
  const path = [folder, command.env["PATH"] ?? ""].join(delimiter);
  expectAnswer("asking git", "block", await runCommand({ ...command, env: { ...command.env, PATH: path } }));
  if (!existsSync(notes)) throw new Error("the stop asked git nothing");
  const calls = readFileSync(notes, "utf8").trimEnd().split("\n");
  return calls.map((call) => ({ ...(JSON.parse(call) as Omit<Command, "program">), program: realGit() }));
}

/** A program that writes down how it was called and then is git. */
function noteTaker(notes: string, git: string): string {
  return `#!${process.execPath}
const { appendFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
const { PATH, ...env } = process.env;
const path = PATH.split(${JSON.stringify(delimiter)}).slice(1).join(${JSON.stringify(delimiter)});
appendFileSync(${JSON.stringify(notes)}, JSON.stringify({ args, cwd: process.cwd(), env: { ...env, PATH: path } }) + "\\n");
process.exit(spawnSync(${JSON.stringify(git)}, args, { stdio: "inherit" }).status);
`;
}

function realGit(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = folders.map((one) => join(one, "git")).find((path) => existsSync(path));
  if (found === undefined) throw new Error("git is not in the path");
  return found;
}
