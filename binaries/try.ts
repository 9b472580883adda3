/**
 * Tries the executable of this platform with no Node on its PATH: a turn that changed code and tested nothing is blocked
 * once, and the second stop passes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const name = process.platform === "win32" ? "checkpoint-hook.exe" : "checkpoint-hook";
const binary = join(import.meta.dirname, `${process.platform}-${process.arch}`, "dist", name);
const folder = mkdtempSync(join(tmpdir(), "checkpoint-binary-"));
const project = join(folder, "project");
const env = {
  ...process.env,
  PATH: (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((entry) => entry !== dirname(process.execPath))
    .join(delimiter),
  CHECKPOINT_HOME: join(folder, "home"),
  CLAUDE_PROJECT_DIR: project,
};

try {
  const file = join(project, "retry.ts");
  mkdirSync(project);
  writeFileSync(file, "export const tries = 1;\n");
  writeFileSync(join(project, "retry.test.ts"), "");
  writeFileSync(join(project, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "--quiet", "--message", "Begin");
  writeFileSync(file, "export const tries = 2;\n");
  const transcript = join(folder, "session.jsonl");
  writeFileSync(
    transcript,
    `${transcriptLines(file)
      .map((line) => JSON.stringify(line))
      .join("\n")}\n`,
  );
  const first = stop(transcript);
  if (!first.includes('"decision":"block"') || !first.includes("npm test"))
    throw new Error(`the first stop was answered with ${first || "nothing"}`);
  const second = stop(transcript);
  if (second !== "") throw new Error(`the second stop was answered with ${second}`);
  console.log(`${binary}: blocked once, then passed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** A turn of Claude Code that began four minutes ago and edited one file. */
function transcriptLines(file: string): readonly object[] {
  const timestamp = new Date(Date.now() - 240_000).toISOString();
  const common = {
    sessionId: "try",
    cwd: project,
    timestamp,
    isSidechain: false,
    userType: "external",
    version: "2.0.0",
  };
  const input = { file_path: file, old_string: "1", new_string: "2" };
  return [
    {
      ...common,
      type: "user",
      uuid: "1",
      parentUuid: null,
      promptId: "turn",
      message: { role: "user", content: "Go" },
    },
    {
      ...common,
      type: "assistant",
      uuid: "2",
      parentUuid: "1",
      message: { role: "assistant", content: [{ type: "tool_use", id: "call", name: "Edit", input }] },
    },
    {
      ...common,
      type: "user",
      uuid: "3",
      parentUuid: "2",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call", content: "ok" }] },
    },
  ];
}

function stop(transcript: string): string {
  const event = {
    hook_event_name: "Stop",
    session_id: "try",
    prompt_id: "turn",
    stop_hook_active: false,
    cwd: project,
    transcript_path: transcript,
  };
  const answer = spawnSync(binary, ["--agent", "claude"], { env, input: JSON.stringify(event), encoding: "utf8" });
  if (answer.error !== undefined || answer.status !== 0 || answer.stderr !== "")
    throw new Error(`${binary} ended with ${answer.status}: ${answer.error?.message ?? answer.stderr}`);
  return answer.stdout;
}
