import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const FILES_PER_FOLDER = 50;
const GIT = ["-c", "gc.auto=0", "-c", "user.name=Bench", "-c", "user.email=bench@example.com"];

/** The file that the last turn of every transcript edits. */
export const EDITED_FILE = "src/server.ts";

/** A repository of so many files with one uncommitted change, its index settled as in a work tree in daily use. */
export async function stageRepository(
  folder: string,
  files: number,
  configs: Readonly<Record<string, string>> = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await git(folder, ["init", "--quiet", "--initial-branch", "main"]);
  await git(folder, ["fast-import", "--quiet"], importOf(files, configs));
  await git(folder, ["reset", "--quiet", "--hard", "main"]);
  // Git reads a file again whose time is that of the index; a refresh a moment later ends that.
  await wait(1100);
  await git(folder, ["status", "--porcelain"]);
  writeFileSync(join(folder, EDITED_FILE), sourceOf(-1));
}

/** The stream that `git fast-import` makes one commit of. */
function* importOf(files: number, configs: Readonly<Record<string, string>>): Generator<string> {
  yield "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nfirst\n";
  yield fileOf("package.json", '{ "name": "bench", "scripts": { "test": "vitest" } }\n');
  yield fileOf(".gitignore", "node_modules/\ndist/\n.claude/\n*.log\n");
  for (const [path, text] of Object.entries(configs)) yield fileOf(path, text);
  yield fileOf(EDITED_FILE, sourceOf(0));
  // Without a test nothing would be asked for.
  yield fileOf("src/server.test.ts", sourceOf(1));
  for (let index = 4; index < files; index += 1) yield fileOf(pathOf(index), sourceOf(index));
  yield "done\n";
}

function fileOf(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
}

function pathOf(index: number): string {
  const folder = Math.floor(index / FILES_PER_FOLDER);
  return `src/part-${folder % 20}/folder-${folder}/file-${index}.ts`;
}

function sourceOf(index: number): string {
  return `// file ${index}\n${`export const value = ${index * 7919};\n`.repeat(20)}`;
}

async function git(cwd: string, args: readonly string[], stdin: Iterable<string> = []): Promise<void> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd };
  const child = spawn("git", [...GIT, ...args], { cwd, env, stdio: ["pipe", "ignore", "inherit"] });
  const closed = once(child, "close");
  for (const part of stdin) if (!child.stdin.write(part)) await once(child.stdin, "drain");
  child.stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${String(code)}`);
}
