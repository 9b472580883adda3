import { AGENTS } from "@agent-checkpoint/agents";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { learnCommands } from "../learn/learn-commands.ts";
import { proposedRows, renderLearned } from "../learn/render-learned.ts";
import { findTranscripts } from "../replay/files/find-transcripts.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { createPage } from "../terminal/page.ts";
import { toJson } from "../terminal/visible.ts";
import { parseSince } from "../time/parse-since.ts";

interface LearnOptions {
  readonly since?: string;
  readonly json?: true;
}

/** `checkpoint learn`: which commands past sessions tested this repository with. */
export function learn(command: Command, context: CommandContext): void {
  command
    .description(
      "Reads the past sessions of this repository, says which commands printed green test reports in which folders, and proposes rows for the config. Writes nothing.",
    )
    .argument("[paths...]", "transcripts, or folders with transcripts; by default the sessions of all agents")
    .option("--since <when>", "only sessions written since then: 12h, 30d, 2w or a date")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((paths: string[], options: LearnOptions) => learnHere(paths, options, context));
}

const HELP = `
Examples:
  $ checkpoint learn
  $ checkpoint learn --since 30d
  $ checkpoint learn ~/.claude/projects/-home-me-app --json
`;

function learnHere(paths: readonly string[], options: LearnOptions, context: CommandContext): void {
  const { cwd, now, out } = context;
  const since = options.since === undefined ? 0 : parseSince(options.since, now());
  const found = findTranscripts(
    paths.length === 0 ? AGENTS.flatMap((agent) => agent.transcriptFolders(context)) : paths,
    cwd,
  );
  const files = found.files.filter(({ mtimeMs }) => mtimeMs >= since).map(({ path }) => path);
  const { commands, sessions } = learnCommands(files, repositoryOf(cwd));
  out(
    options.json === true
      ? toJson({ sessions, commands, actions: proposedRows(commands) })
      : renderLearned(commands, sessions, { page: createPage(context), now: now() }),
  );
}
