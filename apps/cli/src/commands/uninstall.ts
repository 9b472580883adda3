import type { AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { renderUninstall, runUninstall, uninstallExitCode } from "../hooks/run-uninstall.ts";
import { personOnly } from "../sessions/person-only.ts";
import { createPage } from "../terminal/page.ts";
import { toJson } from "../terminal/visible.ts";
import { agentsOption } from "./agent-option.ts";

interface UninstallOptions {
  readonly agent?: readonly AgentName[];
  readonly project?: true;
  readonly dryRun?: true;
  readonly force?: true;
  readonly json?: true;
}

/** `checkpoint uninstall`: removes the hooks. */
export function uninstall(command: Command, context: CommandContext): void {
  command
    .description(
      "Removes from the agents' settings exactly what `checkpoint init` added. A settings file that init created is deleted if nothing else is in it; the record of past stops and the config of a repository stay. For people only: it refuses to run in an agent's shell call.",
    )
    .addOption(agentsOption("only these agents (default: all)"))
    .option("--project", "from this project's settings, not your own")
    .option("--dry-run", "show what would be removed, and write nothing")
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async ({ agent, project, dryRun, force, json }: UninstallOptions) => {
      if (dryRun !== true) await personOnly(context, { force }, { deed: "remove the hooks", answer: "uninstall" });
      const { out, exit, home } = context;
      const scope = project === true ? "project" : "user";
      const report = runUninstall({ agents: agent ?? [], scope, isDryRun: dryRun === true }, context);
      out(json === true ? toJson(report) : renderUninstall(report, createPage(context), home));
      exit(uninstallExitCode(report));
    });
}

const HELP = `
A command of your own that calls checkpoint-hook is left alone and listed.

Examples:
  $ checkpoint uninstall
  $ checkpoint uninstall --dry-run
  $ checkpoint uninstall --project --agent gemini
`;
