import type { AgentName } from "@agent-checkpoint/transcript";
import { Command } from "commander";
import { EXIT } from "../exit-codes.ts";
import { toJson } from "../terminal/to-json.ts";
import { agentsOption } from "./agent-option.ts";
import type { MakeCommand } from "./command-context.ts";

interface UninstallOptions {
  readonly agent?: readonly AgentName[];
  readonly project?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `checkpoint uninstall`: takes the hooks out again. */
export const uninstall: MakeCommand = (context) =>
  new Command("uninstall")
    .summary("Take the hooks out of the agents' settings again")
    .description(
      "Takes out of the agents' settings exactly what `checkpoint init` put in. A settings file that init made goes with it, if it holds nothing else; the record of past stops and the config of a repository stay.",
    )
    .addOption(agentsOption("only these agents (default: all)"))
    .option("--project", "out of this project's settings, not your own")
    .option("--dry-run", "show what would be taken out, and write nothing")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async ({ agent, project, dryRun, json }: UninstallOptions) => {
      const [{ runUninstall, uninstallExitCode }, { renderUninstall }, { createPage }] = await Promise.all([
        import("../hooks/run-uninstall.ts"),
        import("../hooks/render-uninstall.ts"),
        import("../hooks/page.ts"),
      ]);
      const { out, exit, home } = context;
      const scope = project === true ? "project" : "user";
      const report = runUninstall({ agents: agent ?? [], scope, isDryRun: dryRun === true }, context);
      out(json === true ? toJson(report) : renderUninstall(report, createPage(context), home));
      const code = uninstallExitCode(report);
      if (code !== EXIT.ok) exit(code);
    });

const HELP = `
A command of your own that calls checkpoint-hook is left alone, and named.

Examples:
  $ checkpoint uninstall
  $ checkpoint uninstall --dry-run
  $ checkpoint uninstall --project --agent gemini
`;
