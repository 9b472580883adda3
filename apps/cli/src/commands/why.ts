import type { AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { toJson } from "../terminal/visible.ts";
import { findBlock, findStop } from "../why/find-stop.ts";
import { renderReport } from "../why/render-report.ts";
import { reportStop } from "../why/stop-report.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";

interface WhyOptions {
  readonly session?: string;
  readonly agent?: AgentName;
  readonly all?: true;
  readonly json?: true;
}

/** `checkpoint why`: why a stop was blocked or passed. */
export function why(command: Command, context: CommandContext): void {
  command
    .description(
      "Explains a stop: why it was blocked or passed, where its turn began, which file matched which pattern, and which call counted as evidence or why it did not. Defaults to the last stop in this repository, or to the block that let it pass.",
    )
    .argument("[stop]", "another stop, by its number")
    .option("--session <id>", "the last stop of this session, by id or prefix")
    .addOption(agentOption("the last stop of this agent"))
    .option("--all", "the last stop in any repository")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (stop: string | undefined, { json, ...choice }: WhyOptions) => {
      const { home, cwd, out } = context;
      const report = await withStore(home, async (store) => {
        const found = await findStop(store, cwd, { stop, ...choice });
        const block = await findBlock(store, found);
        // What a person wants to know after a block is why it came; the pass behind it explains nothing.
        return stop === undefined && block !== null
          ? await reportStop(block, { home, block: null, passedAfter: found.id })
          : await reportStop(found, { home, block: block?.id ?? null, passedAfter: null });
      });
      out(json === true ? toJson(report) : renderReport(report, context));
    });
}

const HELP = `
The turn is read again from its transcript, up to the stop, and judged by the current rules.
If the transcript is gone, only the record is shown.

Examples:
  $ checkpoint why
  $ checkpoint why 123
  $ checkpoint why --session 3f1c0d77
  $ checkpoint why --all --agent codex
  $ checkpoint why --json | jq '.actions[] | select(.status == "open")'
`;
