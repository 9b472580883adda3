import { spawn } from "node:child_process";
import { once } from "node:events";
import { assembleCheckpoint, findProject, markFiles, proofsOf, withRepository } from "@agent-checkpoint/composer";
import { listChangedFiles } from "@agent-checkpoint/git";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { findReports } from "@agent-checkpoint/reports";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { toJson } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

/** Runs a command, remembers which changed files it proved, and passes its exit code on. */
export async function runProof(
  words: readonly string[],
  { json = false }: { readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { cwd, home, now, out, err, exit } = context;
  const project = await findProject(cwd, home);
  const { root, repository, aliases, rules } = project;
  if (!rules.ok) throw new CliError("the config of this repository cannot be used", { exitCode: EXIT.failed });
  const listed = await listChangedFiles(root, { untracked: rules.rules.untracked });
  if (listed.status === "unknown")
    throw new CliError(`the changed files are not known (${listed.reason}): ${listed.detail}`, {
      exitCode: EXIT.failed,
    });
  const before = markFiles(root, listed.files);
  if (before === null) throw new CliError("too many files are changed", { exitCode: EXIT.failed });

  const call = await runCall(words, json ? { ...context, out: err } : context);
  exit(call.exitCode ?? EXIT.failed);
  const after = markFiles(root, listed.files);
  const same = listed.files.filter((file) => before.get(file) === after?.get(file));
  const facts = await withRepository({
    rules,
    changed: { ok: true as const, files: same },
    timeline: {
      hasData: true as const,
      toolCalls: [call],
      prompt: { offset: 0, digest: "", timestamp: null, id: null },
      isWhole: true,
      skippedLines: 0,
      size: 0,
    },
    place: { projectPath: root, projectAliases: aliases },
    workingSlug: null,
    plan: null,
    promptAt: null,
    now: now(),
  });
  const proven = same.filter((file) => {
    const { result } = assembleCheckpoint({ ...facts, changed: { ok: true, files: [file] } });
    return result.actions.length === 0 && result.evidence.length > 0;
  });
  await withStore(home, (store) =>
    store.proofs.record(repository, proofsOf(root, { files: proven, marks: before, settled: "proven", at: now() })),
  );
  if (json) return out(toJson({ exitCode: call.exitCode, proven, changedFiles: same }));
  const command = inlineCode(words.join(" "), 80);
  return err(`checkpoint: ${command} proved ${proven.length} of ${same.length} changed files.\n`);
}

const MAX_OUTPUT = 1024 * 1024;

/** Runs the command in the person's terminal, and tells of it as of an agent's call. */
async function runCall(words: readonly string[], { cwd, env, out, err }: CommandContext): Promise<ToolCallRecord> {
  const [program = "", ...args] = words;
  const started = new Date();
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["inherit", "pipe", "pipe"] });
  let text = "";
  const tell = (write: (chunk: string) => void) => (chunk: string) => {
    write(chunk);
    text = (text + chunk).slice(-MAX_OUTPUT);
  };
  child.stdout.setEncoding("utf8").on("data", tell(out));
  child.stderr.setEncoding("utf8").on("data", tell(err));
  const ended: readonly unknown[] = await once(child, "close").catch((error: Error) => {
    throw new CliError(`${inlineCode(program)} cannot be started: ${error.message}`, { exitCode: EXIT.failed });
  });
  const exitCode = typeof ended[0] === "number" ? ended[0] : EXIT.failed;
  return {
    id: "proof",
    toolName: "proof",
    kind: "shell",
    inputData: {},
    command: words.map(quoted).join(" "),
    cwd,
    files: [],
    hadError: exitCode !== 0,
    hasResult: true,
    rejected: false,
    exitCode,
    resultSnippet: text.slice(-500),
    reports: findReports(text),
    timestamp: started,
    endedAt: new Date(),
    by: "main",
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
