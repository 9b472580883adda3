import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import type { AgentName } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { VERSION } from "../version.ts";
import { agentOption } from "./agent-option.ts";
import type { TranscriptFile } from "../replay/files/find-transcripts.ts";
import type { ReplayOptions } from "../replay/judge/replay-file.ts";
import type { CommandContext, MakeCommand } from "../command-context.ts";

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
export const replay: MakeCommand = (context) =>
  new Command("replay")
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
  const [{ findTranscripts }, { AGENTS }, { readGivenRules }, { parseSince }, { runReplay }] = await Promise.all([
    import("../replay/files/find-transcripts.ts"),
    import("@agent-checkpoint/agents"),
    import("../replay/judge/replay-rules.ts"),
    import("../time/parse-since.ts"),
    import("../replay/run/run-replay.ts"),
  ]);
  const { cwd, home, now, err, out } = context;
  const agent = flags.agent ?? null;
  const since = flags.since === undefined ? null : parseSince(flags.since, now());
  const config = flags.config === undefined ? null : resolve(cwd, flags.config);
  const given = config === null ? null : readGivenRules(config);
  const isOwn = paths.length === 0;
  const wanted = AGENTS.filter(({ name }) => agent === null || name === agent);
  const found = findTranscripts(isOwn ? wanted.flatMap((one) => one.transcriptFolders(context)) : paths, cwd);
  // A file that was last written before then holds no later turn.
  const recent = found.files.filter(({ mtimeMs }) => since === null || mtimeMs >= since);
  const files = recent.slice(0, flags.limit);
  const lentRoot = flags.root === undefined ? null : resolve(cwd, flags.root);
  const options = { agent, since, given, home, lentRoot };
  if (flags.stops === true) return printStops(files, options, context);
  const { onFile, finish, signal } = await watch(files, context);

  const outcome = await runReplay(files, {
    ...options,
    signal,
    onFile,
    jobs: flags.jobs ?? null,
  });
  const done = finish();
  if (!outcome.isComplete) {
    err(`Interrupted after ${done} of ${files.length} files.\n`);
    return context.exit(INTERRUPTED);
  }
  const [{ buildReport }, { renderReport }] = await Promise.all([
    import("../replay/report/build-report.ts"),
    import("../replay/report/render-report.ts"),
  ]);
  const failed = [...(isOwn ? [] : found.failed), ...outcome.failed];
  const report = buildReport(
    { ...outcome, failed },
    { now: now(), version: VERSION, config, since, noisePercent: flags.noise },
  );
  if (flags.html !== undefined) {
    const { renderHtmlReport } = await import("../replay/report/html/render-html-report.ts");
    writeReport(resolve(cwd, flags.html), renderHtmlReport(report));
  }
  out(flags.json === true ? toJson(report) : renderReport(report, context));
  if (flags.html !== undefined && flags.json !== true) out(`\nThe report is in ${visible(resolve(cwd, flags.html))}\n`);
  const named = new Set(paths.map((path) => resolve(cwd, path)));
  if (failed.some(({ path }) => named.has(path))) context.exit(EXIT.found);
}

async function printStops(
  files: readonly TranscriptFile[],
  options: ReplayOptions,
  { out, err, exit }: CommandContext,
): Promise<void> {
  const { createFileReplayer, stopLine } = await import("../replay/judge/replay-file.ts");
  const replayOne = createFileReplayer(options, ({ path }, judged) => {
    const line = stopLine(path, judged);
    if (line !== null) out(`${JSON.stringify(line)}\n`);
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

interface Watch {
  readonly onFile: (file: { readonly size: number }) => void;
  readonly signal: AbortSignal;
  /** Removes the progress line and the signal handlers, and returns the number of finished files. */
  readonly finish: () => number;
}

/** Shows the progress of the run, and ends it at Ctrl-C. */
async function watch(files: readonly { readonly size: number }[], context: CommandContext): Promise<Watch> {
  const { createProgressLine } = await import("../terminal/progress.ts");
  const { err, isProgressShown: isShown, columns } = context;
  const line = createProgressLine({ err, isShown, columns });
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.on("SIGINT", abort);
  process.on("SIGTERM", abort);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  let bytes = 0;
  return {
    onFile: ({ size }) => {
      done += 1;
      bytes += size;
      line.update({ done, total: files.length, bytes, totalBytes });
    },
    signal: controller.signal,
    finish: () => {
      line.clear();
      process.off("SIGINT", abort);
      process.off("SIGTERM", abort);
      return done;
    },
  };
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new CliError(`The report cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: EXIT.failed,
      advice: "Name a file in a folder that exists and that you may write to.",
    });
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("Expected a whole number of at least 1.");
  return Number(text);
}
