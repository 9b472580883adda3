import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  assembleCheckpoint,
  findProject,
  ledgerOf,
  markFiles,
  proofsOf,
  verificationsOf,
  withRepository,
} from "@agent-checkpoint/composer";
import { listChangedFiles, readRange } from "@agent-checkpoint/git";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { findReports } from "@agent-checkpoint/reports";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import { usable } from "../attest/read-attestation.ts";
import { failed } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { MADE_UP_CALL } from "../made-up-call.ts";
import { toJson } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

/** `checkpoint proof`: lets a person's own run of the tests count. */
export function proof(command: Command, context: CommandContext): void {
  command
    .description(
      "Runs a command and, if it tested the changed files and was green, remembers that: no stop asks for them until they change. The command's exit code is passed on.",
    )
    .argument("<command...>", "the command and its arguments, after --")
    .option("--range <range>", "also look at the files that these commits have changed, for checkpoint verify-range")
    .option("--json", "print one JSON value; what the command prints goes to stderr")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint proof -- npm test\n  $ checkpoint proof -- uv run pytest tests/unit\n  $ checkpoint proof --range origin/main.. -- npm test\n",
    )
    .action((words: string[], options: ProofOptions) => runProof(words, options, context));
}

interface ProofOptions {
  readonly range?: string;
  readonly json?: true;
}

/** Runs a command, remembers which changed files it proved, and passes its exit code on. */
async function runProof(
  words: readonly string[],
  { range, json }: ProofOptions,
  context: CommandContext,
): Promise<void> {
  const { cwd, home, now, out, err, exit } = context;
  const isJson = json === true;
  const project = await findProject(cwd, home);
  const { root, repository, aliases, rules } = project;
  if (!rules.ok) throw failed("the config of this repository cannot be used");
  const listed = await listChangedFiles(root, { untracked: rules.rules.untracked });
  if (listed.status === "unknown") throw failed(`the changed files are not known (${listed.reason}): ${listed.detail}`);
  const committed = range === undefined ? [] : usable(range, await readRange(root, range)).range.files;
  const files = [...new Set([...listed.files, ...committed.map(({ file }) => file)])];
  const before = markFiles(root, files);
  if (before === null) throw failed("too many files are changed");

  const call = await runCall(words, isJson ? { ...context, out: err } : context);
  exit(call.exitCode ?? EXIT.failed);
  const after = markFiles(root, files);
  const same = files.filter((file) => before.get(file) === after?.get(file));
  const facts = await withRepository({
    rules,
    changed: { ok: true as const, files: same },
    timeline: { hasData: true as const, toolCalls: [call], prompt: { timestamp: null }, isWhole: true },
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
  const endedAt = call.endedAt ?? now();
  const seen = await verificationsOf(project, { files: same, calls: [call], endedAt, home });
  // A run that proves nothing says nothing: the person may have run something else.
  const verified = seen
    .filter(({ state }) => state === "verified")
    .map((one) => ({ ...one, agent: null, stopId: null }));
  await withStore(home, async (store) => {
    await store.proofs.record(
      repository,
      proofsOf(root, { files: proven, marks: before, settled: "proven", at: now() }),
    );
    await store.verifications.record(ledgerOf(project), verified);
  });
  if (isJson) return out(toJson({ exitCode: call.exitCode, proven, changedFiles: same }));
  const command = inlineCode(words.join(" "), 80);
  return err(`checkpoint: ${command} proved ${proven.length} of ${same.length} changed files.\n`);
}

const MAX_OUTPUT = 1024 * 1024;

/** Runs the command in the person's terminal, and describes it like a call of an agent. */
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
    throw failed(`${inlineCode(program)} cannot be started: ${error.message}`);
  });
  const exitCode = typeof ended[0] === "number" ? ended[0] : EXIT.failed;
  return {
    ...MADE_UP_CALL,
    command: words.map(quoted).join(" "),
    cwd,
    hadError: exitCode !== 0,
    exitCode,
    resultSnippet: text.slice(-500),
    reports: findReports(text),
    timestamp: started,
    endedAt: new Date(),
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
