import { Command } from "commander";
import { toJson } from "../terminal/visible.ts";
import type { CommandContext, MakeCommand } from "../command-context.ts";

interface LearnOptions {
  readonly since?: string;
  readonly json?: true;
}

/** `checkpoint learn`: which commands past sessions tested this repository with. */
export const learn: MakeCommand = (context) =>
  new Command("learn")
    .summary("Which commands tested this repository in past sessions")
    .description(
      "Reads the past sessions of this repository, says which commands printed green test reports in which folders, and proposes rows for the config. Writes nothing.",
    )
    .argument("[paths...]", "transcripts, or folders with transcripts; by default the sessions of all agents")
    .option("--since <when>", "only sessions written since then: 12h, 30d, 2w or a date")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((paths: string[], options: LearnOptions) => learnHere(paths, options, context));

const HELP = `
Examples:
  $ checkpoint learn
  $ checkpoint learn --since 30d
  $ checkpoint learn ~/.claude/projects/-home-me-app --json
`;

async function learnHere(paths: readonly string[], options: LearnOptions, context: CommandContext): Promise<void> {
  const [
    { findTranscripts },
    { AGENTS },
    { parseSince },
    { learnCommands },
    { proposedRows, renderLearned },
    { createPage },
    { repositoryOf },
  ] = await Promise.all([
    import("../replay/files/find-transcripts.ts"),
    import("@agent-checkpoint/agents"),
    import("../time/parse-since.ts"),
    import("../learn/learn-commands.ts"),
    import("../learn/render-learned.ts"),
    import("../terminal/page.ts"),
    import("../sessions/repository-of.ts"),
  ]);
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
