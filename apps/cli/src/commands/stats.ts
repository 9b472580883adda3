import { resolve } from "node:path";
import type { AgentName } from "@agent-checkpoint/transcript";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { mainRepositoryOf } from "../sessions/repository-of.ts";
import { readStats } from "../stats/read-stats.ts";
import { renderStats } from "../stats/render-stats.ts";
import { readSaveStats, renderSaveStats } from "../stats/save-stats.ts";
import { isUnicodeTerminal } from "../terminal/style.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { parseSince } from "../time/parse-since.ts";
import { agentOption } from "./agent-option.ts";

interface StatsOptions {
  readonly since?: string;
  readonly agent?: AgentName;
  readonly project?: string;
  readonly all?: true;
  readonly json?: true;
}

/** `checkpoint stats`: what was blocked, and what agents then did. */
export function stats(command: Command, context: CommandContext): void {
  command
    .description(
      "Counts blocks and passes, what was asked for, and what agents then did, by rule and by agent. Only stops in this repository are counted by default.",
    )
    .option("--since <when>", "only stops since then: 12h, 7d, 2w or a date")
    .addOption(agentOption("only stops of this agent"))
    .option("--project <folder>", "the stops of another repository")
    .addOption(new Option("--all", "the stops of all repositories").conflicts("project"))
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((options: StatsOptions) => showStats(options, context));
}

const HELP = `
What an agent did after a block is recorded soon after its turn, so the
transcript may go. Records are kept for 90 days, or for keepDays of the config.

Examples:
  $ checkpoint stats
  $ checkpoint stats --since 7d --all
  $ checkpoint stats --agent codex --json
`;

async function showStats(options: StatsOptions, context: CommandContext): Promise<void> {
  const { out, cwd, home, env, style, columns, now } = context;
  const since = options.since === undefined ? null : new Date(parseSince(options.since, now()));
  const project = options.all === true ? null : mainRepositoryOf(resolve(cwd, options.project ?? "."));
  const agent = options.agent ?? null;
  const figures = await readStats({ home, now: now(), since, agent, project });
  const saves = await readSaveStats({ home, since, agent, project });
  if (options.json === true) return out(toJson({ since, until: now(), agent, project, ...figures, saves }));
  const subject = [
    agent === null ? "" : `of ${agent}`,
    project === null ? "in all repositories" : `in ${visible(project)}`,
    since === null ? "" : `since ${since.toISOString().slice(0, 10)}`,
  ];
  const look = { style, columns, isUnicode: isUnicodeTerminal(env), subject: subject.filter(Boolean).join(" ") };
  return out(`${renderStats(figures, look)}${renderSaveStats(saves, columns)}`);
}
