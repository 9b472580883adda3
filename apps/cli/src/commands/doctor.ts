import type { AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { renderReport } from "../doctor/run-doctor.ts";
import { runDoctor } from "../doctor/run-doctor.ts";
import { EXIT } from "../exit-codes.ts";
import { toJson } from "../terminal/visible.ts";
import { agentOption } from "./agent-option.ts";

interface DoctorOptions {
  readonly agent?: AgentName;
  readonly canary: boolean;
  readonly json?: true;
}

/** `checkpoint doctor`: whether the hooks are registered, and whether they fire. */
export function doctor(command: Command, context: CommandContext): void {
  command
    .description(
      "Checks every agent on this machine: is our command registered, would the agent run it, and does it block a stop? It sends a test stop through the registered command; the record of that stop is marked and never counted. Nothing is repaired.",
    )
    .addOption(agentOption("only this agent"))
    .option("--no-canary", "send no test stop")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async ({ agent, canary, json }: DoctorOptions) => {
      const report = await runDoctor(context, { agent: agent ?? null, canary });
      context.out(json === true ? toJson(report) : renderReport(report, context));
      if (report.verdict === "fail") context.exit(EXIT.found);
    });
}

const HELP = `
Exit code 1 if something does not work; warnings alone give 0.

Examples:
  $ checkpoint doctor
  $ checkpoint doctor --agent codex
  $ checkpoint doctor --json | jq '.groups[].checks[].findings[] | select(.level == "fail")'
`;
