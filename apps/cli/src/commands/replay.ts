import { statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { AGENTS } from "@agent-checkpoint/agents";
import { errorMessage } from "@agent-checkpoint/files";
import type { AgentName } from "@agent-checkpoint/transcript";
import { type Command, InvalidArgumentError } from "commander";
import { failed as failure, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { findTranscripts, type TranscriptFile } from "../replay/files/find-transcripts.ts";
import { createFileReplayer, type ReplayOptions, stopLine } from "../replay/judge/replay-file.ts";
import { readGivenRules } from "../replay/judge/replay-rules.ts";
import { buildReport } from "../replay/report/build-report.ts";
import { renderHtmlReport } from "../replay/report/html/render-html-report.ts";
import { renderReport } from "../replay/report/render-report.ts";
import { type ReplayOutcome, runReplay } from "../replay/run/run-replay.ts";
import { createProgressLine } from "../terminal/progress.ts";
import { toJson, toJsonLine, visible } from "../terminal/visible.ts";
import { parseSince } from "../time/parse-since.ts";
import { VERSION } from "../version.ts";
import { agentOption } from "./agent-option.ts";

interface ReplayFlags {
  readonly agent?: AgentName;
  readonly since?: string;
  readonly limit?: number;
  readonly config?: string;
  readonly jobs?: number;
  readonly noise: number;
  readonly html?: string;
  readonly json?: boolean;
  readonly stops?: boolean;
  readonly root?: string;
}

/** `checkpoint replay`: what the rules would have said in past sessions. */
export function replay(command: Command, context: CommandContext): void {
  command
    .description("Run the rules over past sessions: how many stops would have been blocked, and by which rule")
    .argument("[paths...]", "transcripts, or folders with transcripts; by default the sessions of all agents")
    .addOption(agentOption("only sessions of this agent"))
    .option("--since <when>", "only turns since then: 12h, 30d, 2w or a date")
    .option("--limit <n>", "only the n most recently written files", wholeNumber)
    .option("--config <file>", "judge all sessions by this config file, not by the rules of their projects")
    .option("--noise <percent>", "mark rules that fire in more than this share of stops", wholeNumber, 30)
    .option("--jobs <n>", "threads (default: one per core)", wholeNumber)
    .option("--html <file>", "write a report for the browser")
    .option("--json", "print the report as JSON")
    .option("--stops", "print one line of JSON per stop instead of a report")
    .option("--root <folder>", "the repository to take facts from if a session's own folder is missing")
    .addHelpText("after", EXAMPLES)
    .action((paths: string[], flags: ReplayFlags) => replaySessions(paths, flags, context));
}

const EXAMPLES = `
Nothing is changed and no agent is called.

Examples:
  checkpoint replay --since 30d                       what the last month would have looked like
  checkpoint replay --config checkpoint.config.json   try rules before switching them on
  checkpoint replay --stops session.jsonl             every stop with its verdict, reason and evidence, for programs
  checkpoint replay --html report.html                a report for the browser
  checkpoint replay ~/.claude/projects/-home-me-app   the sessions of one project
`;

async function replaySessions(paths: readonly string[], flags: ReplayFlags, context: CommandContext): Promise<void> {
  const { cwd, home, now, err, out, exit } = context;
  const agent = flags.agent ?? null;
  const since = flags.since === undefined ? null : parseSince(flags.since, now());
  const config = flags.config === undefined ? null : resolve(cwd, flags.config);
  const wanted = AGENTS.filter(({ name }) => agent === null || name === agent);
  const isOwn = paths.length === 0;
  const found = findTranscripts(isOwn ? wanted.flatMap((one) => one.transcriptFolders(context)) : paths, cwd);
  // A file that was last written before then holds no later turn.
  const recent = found.files.filter(({ mtimeMs }) => since === null || mtimeMs >= since);
  const files = recent.slice(0, flags.limit);
  const options: ReplayOptions = {
    agent,
    since,
    given: config === null ? null : readGivenRules(config),
    home,
    lentRoot: flags.root === undefined ? null : folderAt(resolve(cwd, flags.root)),
  };
  if (flags.stops === true) return printStops(files, options, context);

  const outcome = await watched(files, { ...options, jobs: flags.jobs ?? null }, context);
  if (!outcome.isComplete) {
    err(`Interrupted after ${outcome.done} of ${files.length} files.\n`);
    return exit(INTERRUPTED);
  }
  const failed = [...(isOwn ? [] : found.failed), ...outcome.failed];
  const report = buildReport(
    { ...outcome, failed },
    { now: now(), version: VERSION, config, since, noisePercent: flags.noise },
  );
  const page = flags.html === undefined ? null : resolve(cwd, flags.html);
  if (page !== null) writeReport(page, renderHtmlReport(report));
  out(flags.json === true ? toJson(report) : renderReport(report, context));
  if (page !== null && flags.json !== true) out(`\nThe report is in ${visible(page)}\n`);
  const named = new Set(paths.map((path) => resolve(cwd, path)));
  if (failed.some(({ path }) => named.has(path))) exit(EXIT.found);
}

async function printStops(
  files: readonly TranscriptFile[],
  options: ReplayOptions,
  { out, err, exit }: CommandContext,
): Promise<void> {
  const replayOne = createFileReplayer(options, ({ path }, judged) => {
    const line = stopLine(path, judged);
    if (line !== null) out(toJsonLine(line));
  });
  for (const file of files) {
    const result = await replayOne(file);
    if (result.kind !== "failed") continue;
    err(`${visible(file.path)}: ${visible(result.reason)}\n`);
    exit(EXIT.found);
  }
}

/** The exit code that shells use for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

/** Replays files with a progress line, until the end or Ctrl-C. */
async function watched(
  files: readonly TranscriptFile[],
  options: ReplayOptions & { readonly jobs: number | null },
  { err, isProgressShown: isShown, columns }: CommandContext,
): Promise<ReplayOutcome & { readonly done: number }> {
  const line = createProgressLine({ err, isShown, columns });
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.on("SIGINT", abort);
  process.on("SIGTERM", abort);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  let bytes = 0;
  const onFile = ({ size }: TranscriptFile): void => {
    done += 1;
    bytes += size;
    line.update({ done, total: files.length, bytes, totalBytes });
  };
  try {
    return { ...(await runReplay(files, { ...options, signal: controller.signal, onFile })), done };
  } finally {
    line.clear();
    process.off("SIGINT", abort);
    process.off("SIGTERM", abort);
  }
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw failure(
      `The report cannot be written: ${errorMessage(error)}`,
      "Name a file in a folder that exists and that you may write to.",
    );
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("Expected a whole number of at least 1.");
  return Number(text);
}

function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw refused(`There is no folder ${path}.`, "Name the folder of the repository after --root.");
}
